/** Java's java.net as an engine: with the argument "URI" URI.resolve, with "URL" the constructor URL(URL, String). */
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
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

    public static void main(String[] args) throws IOException {
        System.out.println("{\"protocol\":1,\"engine\":\"java.net." + args[0] + "\",\"version\":"
            + quote(System.getProperty("java.version")) + ",\"ops\":[\"resolve\"]}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            String base = text(line, "base"), reference = text(line, "reference"), answer;
            try {
                String url = args[0].equals("URI") ? uri(base, reference) : url(base, reference);
                boolean whole = StandardCharsets.UTF_8.newEncoder().canEncode(url);
                answer = whole ? "\"url\":" + quote(url) : "\"unrepresentable\":\"lone surrogate\"";
            } catch (MalformedURLException | RuntimeException error) {
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
