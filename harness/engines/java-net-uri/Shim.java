/**
 * Java's java.net as an engine: with the argument "URI" URI.resolve and the accessors of URI, with "URL" the constructor
 * URL(URL, String) and the accessors of URL.
 */
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.regex.*;

public class Shim {
    static String uri(String base, String reference) {
        if (base.isEmpty()) return URI.create(reference).toString(); // An unknown base: the reference is parsed alone.
        URI parsed;
        try {
            parsed = URI.create(base);
        } catch (RuntimeException error) {
            throw new IllegalArgumentException("base: " + error.getMessage(), error);
        }
        return parsed.resolve(reference).toString();
    }

    @SuppressWarnings("deprecation") // Since Java 20.
    static String url(String base, String reference) throws MalformedURLException {
        if (base.isEmpty()) return new URL(reference).toString(); // As above.
        URL parsed;
        try {
            parsed = new URL(base);
        } catch (MalformedURLException | RuntimeException error) {
            throw new IllegalArgumentException("base: " + error.getMessage(), error);
        }
        return new URL(parsed, reference).toString();
    }

    static String uriParts(String text) throws URISyntaxException {
        URI uri = new URI(text);
        return parts("scheme", uri.getScheme(), "userinfo", uri.getRawUserInfo(), "host", uri.getHost(), "port", uri.getPort(),
            "path", uri.getRawPath(), "query", uri.getRawQuery(), "fragment", uri.getRawFragment(), "authority", uri.getRawAuthority());
    }

    @SuppressWarnings("deprecation") // Since Java 20.
    static String urlParts(String text) throws MalformedURLException {
        URL url = new URL(text);
        return parts("scheme", url.getProtocol(), "userinfo", url.getUserInfo(), "host", url.getHost(), "port", url.getPort(),
            "path", url.getPath(), "query", url.getQuery(), "fragment", url.getRef(), "authority", url.getAuthority());
    }

    /** Writes names and values in turn; the port -1 is an absent port. */
    static String parts(Object... all) {
        StringJoiner parts = new StringJoiner(",", "\"parts\":{", "}");
        for (int i = 0; i < all.length; i += 2) {
            boolean absent = all[i + 1] == null || all[i + 1].equals(-1);
            parts.add("\"" + all[i] + "\":" + (absent ? "null" : quote(all[i + 1].toString())));
        }
        return parts.toString();
    }

    static String resolve(boolean isUri, String base, String reference) throws MalformedURLException {
        String url = isUri ? uri(base, reference) : url(base, reference);
        boolean whole = StandardCharsets.UTF_8.newEncoder().canEncode(url);
        return whole ? "\"url\":" + quote(url) : "\"unrepresentable\":\"lone surrogate\"";
    }

    public static void main(String[] args) throws IOException {
        System.out.println("{\"protocol\":1,\"engine\":\"java.net." + args[0] + "\",\"version\":"
            + quote(System.getProperty("java.version")) + ",\"ops\":[\"resolve\",\"parse\"]}");
        boolean isUri = args[0].equals("URI");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            boolean parses = text(line, "op").equals("parse");
            String text = text(line, parses ? "url" : "base"), reference = parses ? null : text(line, "reference"), answer;
            try {
                answer = !parses ? resolve(isUri, text, reference) : isUri ? uriParts(text) : urlParts(text);
            } catch (MalformedURLException | URISyntaxException | RuntimeException error) {
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
