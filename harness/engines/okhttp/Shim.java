/** A Java library as an engine. The argument names it; only that one is installed, so all are called by reflection. */
import java.io.*;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.jar.*;
import java.util.regex.*;

public class Shim {
    static final Map<String, String> CLASS = Map.of(
        "okhttp", "okhttp3.HttpUrl",
        "httpclient", "org.apache.http.client.utils.URIUtils",
        "httpclient5", "org.apache.hc.client5.http.utils.URIUtils",
        "xerces", "org.apache.xerces.util.URI",
        "jsoup", "org.jsoup.nodes.Element",
        "jena", "org.apache.jena.irix.IRIx",
        "rdf4j", "org.eclipse.rdf4j.common.net.ParsedIRI",
        "commons-httpclient", "org.apache.commons.httpclient.URI",
        "xalan", "org.apache.xml.utils.SystemIDResolver");

    /** The components of a URL, each with the method that returns it. */
    static final Map<String, String> PARTS = Map.of(
        "okhttp", "scheme=scheme user=encodedUsername password=encodedPassword host=host port=port path=encodedPath query=encodedQuery"
            + " fragment=encodedFragment",
        // The components of the HttpHost to which the client connects.
        "httpclient", "scheme=getSchemeName host=getHostName port=getPort",
        "httpclient5", "scheme=getSchemeName host=getHostName port=getPort",
        "xerces", "scheme=getScheme userinfo=getUserinfo host=getHost port=getPort path=getPath query=getQueryString"
            + " fragment=getFragment authority=getAuthority",
        "jena", "scheme=getScheme userinfo=getRawUserinfo host=getRawHost port=getPort path=getRawPath query=getRawQuery"
            + " fragment=getRawFragment authority=getRawAuthority",
        "rdf4j", "scheme=getScheme userinfo=getUserInfo host=getHost port=getPort path=getPath query=getQuery fragment=getFragment",
        "commons-httpclient", "scheme=getScheme userinfo=getEscapedUserinfo host=getHost port=getPort path=getEscapedPath"
            + " query=getEscapedQuery fragment=getEscapedFragment authority=getEscapedAuthority");

    static Object parse(String library, String text) throws Exception {
        switch (library) {
            case "okhttp": return call(CLASS.get(library), "parse", text);
            case "jena": return call(CLASS.get(library), "create", text);
            case "xerces": case "rdf4j": return call(CLASS.get(library), "new", text);
            case "commons-httpclient": return call(CLASS.get(library), "new", text.toCharArray());
            case "jsoup": return call(CLASS.get(library), "new", call("org.jsoup.parser.Tag", "valueOf", "a"), text);
            default: return URI.create(text);
        }
    }

    static Object resolve(String library, String base, String reference) throws Exception {
        // Xalan takes both as text, also an unknown base.
        if (library.equals("xalan")) return call(CLASS.get(library), "getAbsoluteURI", reference, base);
        // An unknown base: the reference is parsed alone, but jsoup takes the base as text.
        if (base.isEmpty() && !library.equals("jsoup")) return parse(library, reference);
        Object parsed;
        try {
            parsed = Objects.requireNonNull(parse(library, base), "nothing was returned");
        } catch (Exception error) {
            throw new Exception("base: " + error.getMessage(), error);
        }
        switch (library) {
            case "xerces": return call(CLASS.get(library), "new", parsed, reference);
            case "commons-httpclient": return call(CLASS.get(library), "new", parsed, parse(library, reference));
            case "jsoup":
                Object url = call(call(parsed, "attr", "href", reference), "absUrl", "href");
                return url.equals("") ? null : url; // This is how absUrl rejects.
            case "httpclient": case "httpclient5": return call(CLASS.get(library), "resolve", parsed, reference);
            default: return call(parsed, "resolve", reference);
        }
    }

    static String parts(String library, String text) throws Exception {
        Object url = Objects.requireNonNull(parse(library, text), "nothing was returned");
        switch (library) {
            case "jena": url = call(url, "getImpl"); break;
            case "httpclient": url = call(CLASS.get(library), "extractHost", url); break;
            case "httpclient5":
                Object request = call("org.apache.hc.client5.http.classic.methods.HttpGet", "new", text);
                Class<?> type = Class.forName("org.apache.hc.core5.http.HttpRequest");
                url = invoke(Class.forName("org.apache.hc.client5.http.routing.RoutingSupport").getMethod("determineHost", type), null, request);
        }
        Objects.requireNonNull(url, "nothing was returned");
        StringJoiner parts = new StringJoiner(",", "\"parts\":{", "}");
        for (String part : PARTS.get(library).split(" ")) {
            Object value = call(url, part.substring(part.indexOf('=') + 1));
            if (part.equals("authority=getAuthority") && value != null) value = value.toString().replaceFirst("^//", ""); // In Xerces.
            boolean absent = value == null || value.equals(-1); // -1 is an absent port, and in Jena -2 an empty port.
            String json = absent ? "null" : value.equals(-2) ? "\"\"" : quote(value.toString());
            parts.add("\"" + part.substring(0, part.indexOf('=')) + "\":" + json);
        }
        return parts.toString();
    }

    static String url(String library, String base, String reference) throws Exception {
        String url = Objects.requireNonNull(resolve(library, base, reference), "nothing was returned").toString();
        boolean whole = StandardCharsets.UTF_8.newEncoder().canEncode(url);
        return whole ? "\"url\":" + quote(url) : "\"unrepresentable\":\"lone surrogate\"";
    }

    /** Calls a method of an object or, if `of` is the name of a class, a static method or the constructor "new". */
    static Object call(Object of, String name, Object... arguments) throws Exception {
        Class<?> type = of instanceof String ? Class.forName((String) of) : of.getClass();
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) types[i] = arguments[i].getClass();
        return invoke(name.equals("new") ? type.getConstructor(types) : type.getMethod(name, types), of, arguments);
    }

    static Object invoke(Executable method, Object of, Object... arguments) throws Exception {
        try {
            return method instanceof Constructor ? ((Constructor<?>) method).newInstance(arguments) : ((Method) method).invoke(of, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error) throw (Error) thrown.getCause();
            throw (Exception) thrown.getCause();
        }
    }

    /** Reads the version from the archive that the class is in. */
    static String version(String library) throws Exception {
        if (library.equals("xerces")) {
            return ((String) call("org.apache.xerces.impl.Version", "getVersion")).replace("Xerces-J ", "");
        }
        URI archive = Class.forName(CLASS.get(library)).getProtectionDomain().getCodeSource().getLocation().toURI();
        try (JarFile jar = new JarFile(new File(archive))) {
            JarEntry entry = jar.stream().filter(e -> e.getName().endsWith("/pom.properties")).findFirst().get();
            Properties pom = new Properties();
            pom.load(jar.getInputStream(entry));
            return pom.getProperty("version");
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("{\"protocol\":1,\"engine\":\"" + args[0] + "\",\"version\":" + quote(args.length > 1 ? args[1] : version(args[0]))
            + ",\"ops\":[\"resolve\"" + (PARTS.containsKey(args[0]) ? ",\"parse\"" : "") + "]}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            boolean parses = text(line, "op").equals("parse");
            String text = text(line, parses ? "url" : "base"), reference = parses ? null : text(line, "reference"), answer;
            try {
                answer = parses ? parts(args[0], text) : url(args[0], text, reference);
            } catch (ReflectiveOperationException error) {
                throw error; // A mistake in this file.
            } catch (Exception error) {
                answer = "\"failure\":" + quote(String.valueOf(error.getMessage()));
            }
            System.out.println("{\"id\":" + find(line, "id", "\\d+").group(1) + "," + answer + "}");
            System.out.flush();
        }
    }

    /** Finds a member of the request. A quote inside a text is escaped, so only a key can match. */
    static Matcher find(String line, String key, String value) {
        Matcher found = Pattern.compile("\"" + key + "\"\\s*:\\s*(" + value + ")").matcher(line);
        if (!found.find()) throw new Error("no " + key + " in the request");
        return found;
    }

    static String text(String line, String key) {
        StringBuilder text = new StringBuilder();
        for (int at = find(line, key, "\"").end(); line.charAt(at) != '"'; at++) {
            char c = line.charAt(at);
            if (c == '\\') {
                c = line.charAt(++at);
                int control = "bfnrt".indexOf(c);
                if (control >= 0) {
                    c = "\b\f\n\r\t".charAt(control);
                } else if (c == 'u') {
                    c = (char) Integer.parseInt(line.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            text.append(c);
        }
        return text.toString();
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            boolean plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
            quoted.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return quoted.append('"').toString();
    }
}
