/** Apache HttpClient 5 as an engine: client.execute(new HttpGet(url)). It waits for four seconds and verifies no certificate. */
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.util.Properties;
import java.util.jar.*;
import java.util.regex.*;
import javax.net.ssl.*;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.*;
import org.apache.hc.client5.http.impl.io.*;
import org.apache.hc.client5.http.ssl.*;
import org.apache.hc.core5.util.Timeout;

public class Shim {
    @SuppressWarnings("deprecation") // What replaces them is not in 5.2.
    static void request(SSLContext tls, String url, boolean follow) throws Exception {
        Timeout limit = Timeout.ofSeconds(4);
        RequestConfig limits = RequestConfig.custom().setConnectTimeout(limit).setResponseTimeout(limit).setMaxRedirects(3)
            .setRedirectsEnabled(follow).build();
        PoolingHttpClientConnectionManager connections = PoolingHttpClientConnectionManagerBuilder.create()
            .setSSLSocketFactory(new SSLConnectionSocketFactory(tls, NoopHostnameVerifier.INSTANCE)).build();
        try (CloseableHttpClient client = HttpClients.custom().disableAutomaticRetries().disableCookieManagement()
                .setDefaultRequestConfig(limits).setConnectionManager(connections).build()) {
            client.execute(new HttpGet(url)).close();
        }
    }

    /** Reads the version from the archive that a class is in. */
    static String version(Class<?> of) throws Exception {
        try (JarFile jar = new JarFile(new File(of.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
            JarEntry entry = jar.stream().filter(each -> each.getName().endsWith("/pom.properties")).findFirst().get();
            Properties pom = new Properties();
            pom.load(jar.getInputStream(entry));
            return pom.getProperty("version");
        }
    }

    public static void main(String[] args) throws Exception {
        Security.setProperty("networkaddress.cache.ttl", "0");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        PrintStream out = System.out;
        System.setOut(System.err);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, new TrustManager[] {TRUST}, null);
        out.println("{\"protocol\":1,\"engine\":\"httpclient5\",\"version\":\"" + version(HttpGet.class) + "\",\"ops\":[\"connect\",\"follow\"]}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            String op = text(line, "op"), answer = "\"done\":true";
            if (!op.equals("connect") && !op.equals("follow")) {
                answer = "\"skipped\":\"unsupported operation\"";
            } else try {
                request(tls, text(line, "url"), op.equals("follow"));
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
