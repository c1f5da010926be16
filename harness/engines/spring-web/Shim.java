/** A Java library as an engine that splits URLs. The argument names it; only that one is installed, so all are called by reflection. */
import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;

public class Shim {
    /** The components of a URL, each with the method that returns it. */
    static final Map<String, String> PARTS = Map.of(
        "spring-web", "scheme=getScheme userinfo=getUserInfo host=getHost port=getPort path=getPath query=getQuery fragment=getFragment",
        "jetty", "scheme=getScheme userinfo=getUser host=getHost port=getPort path=getPath query=getQuery fragment=getFragment"
            + " authority=getAuthority");

    /** The public type of a URL. Its subclasses are not public. */
    static final Map<String, String> CLASS = Map.of(
        "spring-web", "org.springframework.web.util.UriComponents",
        "jetty", "org.eclipse.jetty.http.HttpURI");

    static Object parse(String library, String text) throws Exception {
        if (library.equals("jetty")) {
            Class<?> type = Class.forName(CLASS.get(library));
            // Jetty 12 has an interface instead of a class.
            return invoke(type.isInterface() ? type.getMethod("from", String.class) : type.getConstructor(String.class), null, text);
        }
        Class<?> builder = Class.forName("org.springframework.web.util.UriComponentsBuilder");
        Object built = invoke(builder.getMethod("fromUriString", String.class), null, text);
        return invoke(builder.getMethod("build"), built);
    }

    static String parts(String library, String text) throws Exception {
        Object url = parse(library, text);
        StringJoiner parts = new StringJoiner(",", "\"parts\":{", "}");
        for (String part : PARTS.get(library).split(" ")) {
            String[] named = part.split("=");
            Object value = invoke(Class.forName(CLASS.get(library)).getMethod(named[1]), url);
            boolean absent = value == null || value.equals(-1); // The port -1 is an absent port.
            if (!absent && !StandardCharsets.UTF_8.newEncoder().canEncode(value.toString())) return "\"unrepresentable\":\"lone surrogate\"";
            parts.add("\"" + named[0] + "\":" + (absent ? "null" : quote(value.toString())));
        }
        return parts.toString();
    }

    static Object invoke(Executable method, Object of, Object... arguments) throws Exception {
        try {
            return method instanceof Constructor ? ((Constructor<?>) method).newInstance(arguments) : ((Method) method).invoke(of, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error) throw (Error) thrown.getCause();
            throw (Exception) thrown.getCause();
        }
    }

    /** Reads the version from the manifest of the archive that the class is in. */
    static String version(String library) throws Exception {
        return Class.forName(CLASS.get(library)).getPackage().getImplementationVersion();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("{\"protocol\":1,\"engine\":\"" + args[0] + "\",\"version\":" + quote(version(args[0])) + ",\"ops\":[\"parse\"]}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            String answer;
            try {
                answer = parts(args[0], text(line, "url"));
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
