/**
 * The HTTP clients of Java as engines: with the argument "HttpURLConnection" new URL(url).openConnection(), with "HttpClient"
 * java.net.http.HttpClient and a request for URI.create(url). They wait for four seconds and verify no certificate.
 */
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.regex.*;
import javax.net.ssl.*;

public class Shim {
    @SuppressWarnings("deprecation") // Since Java 20.
    static void request(boolean isClient, SSLContext tls, String url, boolean follow) throws Exception {
        if (isClient) {
            HttpClient.Redirect redirect = follow ? HttpClient.Redirect.NORMAL : HttpClient.Redirect.NEVER;
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(Duration.ofSeconds(4)).sslContext(tls).followRedirects(redirect).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(4)).build();
            client.send(request, HttpResponse.BodyHandlers.discarding());
            return;
        }
        URLConnection connection = new URL(url).openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(4000);
        connection.setReadTimeout(4000);
        if (connection instanceof HttpURLConnection) ((HttpURLConnection) connection).setInstanceFollowRedirects(follow);
        connection.getInputStream().close();
    }

    public static void main(String[] args) throws Exception {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        PrintStream out = System.out;
        System.setOut(System.err);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {TRUST}, null);
        System.setProperty("http.keepAlive", "false");
        System.setProperty("jdk.internal.httpclient.disableHostnameVerification", "true");
        HttpsURLConnection.setDefaultSSLSocketFactory(tls.getSocketFactory());
        HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
        out.println("{\"protocol\":1,\"engine\":\"" + args[0] + "\",\"version\":\"" + System.getProperty("java.version") + "\",\"ops\":[\"connect\",\"follow\"]}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            String op = text(line, "op"), answer = "\"done\":true";
            if (!op.equals("connect") && !op.equals("follow")) {
                answer = "\"skipped\":\"unsupported operation\"";
            } else try {
                request(args[0].equals("HttpClient"), tls, text(line, "url"), op.equals("follow"));
            } catch (Throwable error) {
                Throwable cause = error.getMessage() == null && error.getCause() != null ? error.getCause() : error;
                String message = cause.toString().replaceAll("[^!#-\\[\\]-~]", " "); // Without quotes and backslashes.
                answer = "\"failure\":\"" + message.substring(0, Math.min(message.length(), 300)) + "\"";
            }
            out.println("{\"id\":" + line.replaceFirst(".*?\"id\"\\s*:\\s*(\\d+).*", "$1") + "," + answer + "}");
            out.flush();
        }
        System.exit(0);
    }

    /** Reads a member of the request. A quote inside a text is escaped, so only a key can match. */
    static String text(String line, String key) {
        Matcher found = Pattern.compile("\"" + key + "\"\\s*:\\s*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"").matcher(line);
        if (!found.find()) return "";
        return Pattern.compile("\\\\(?:u(....)|(.))").matcher(found.group(1)).replaceAll(escape -> {
            String code = escape.group(1);
            char c = code != null ? (char) Integer.parseInt(code, 16) : "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(escape.group(2)));
            return Matcher.quoteReplacement(String.valueOf(c));
        });
    }

    static final X509ExtendedTrustManager TRUST = new X509ExtendedTrustManager() { // Trusts every certificate.
        public void checkClientTrusted(X509Certificate[] chain, String type) {}
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
        public void checkServerTrusted(X509Certificate[] chain, String type) {}
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
        public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
    };
}
