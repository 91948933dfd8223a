import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Calls the wallet as Java programs do: Client HTTP-URL WS-URL. One line for each way; a way that fails ends it. */
class Client {
    static String call(String name) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"" + name + "\",\"method\":\"is_locked\",\"params\":[]}";
    }

    static void check(String name, String text) {
        if (!text.contains("\"id\":\"" + name + "\"") || !text.contains("\"result\":false")) {
            System.err.println("failed " + name + ": " + text);
            System.exit(1);
        }
        System.out.println("ok " + name);
    }

    static HttpRequest.Builder post(String url, String name) {
        return HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString(call(name)));
    }

    static void urlConnection(String url, String name, boolean chunked) throws IOException {
        HttpURLConnection conn = (HttpURLConnection) new URL(url).openConnection();
        conn.setDoOutput(true);
        if (chunked) {
            conn.setRequestProperty("Content-Type", "application/json-rpc");
            conn.setChunkedStreamingMode(0);
        }
        conn.getOutputStream().write(call(name).getBytes(StandardCharsets.UTF_8));
        check(name, new String(conn.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        conn.disconnect();
    }

    static void webSocket(String url, String name, String origin) throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        if (origin != null) {
            builder.header("Origin", origin);
        }
        WebSocket conn = builder.buildAsync(URI.create(url), new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                answer.complete(data.toString());
                return null;
            }
        }).join();
        conn.sendText(call(name), true);
        check(name, answer.get(20, TimeUnit.SECONDS));
        conn.abort();
    }

    public static void main(String[] args) throws Exception {
        String rpc = args[0], ws = args[1], name = "java-http-client";
        check(name, HttpClient.newHttpClient().send(post(rpc, name).build(), BodyHandlers.ofString()).body()); // asks for HTTP/2
        name = "java-http-client-1.1";
        HttpClient plain = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        check(name, plain.send(post(rpc, name).header("Content-Type", "application/json").build(), BodyHandlers.ofString()).body());
        name = "java-http-client-chunked";
        byte[] text = call(name).getBytes(StandardCharsets.UTF_8);
        HttpRequest streamed = HttpRequest.newBuilder(URI.create(rpc)).POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(text))).build();
        check(name, HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().send(streamed, BodyHandlers.ofString()).body());
        name = "java-http-client-empty-login";
        check(name, HttpClient.newHttpClient().send(post(rpc, name).header("Authorization", "Basic Og==").build(), BodyHandlers.ofString()).body());
        name = "java-http-client-authenticator";
        HttpClient asked = HttpClient.newBuilder().authenticator(new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication("", new char[0]);
            }
        }).build();
        check(name, asked.send(post(rpc, name).build(), BodyHandlers.ofString()).body());
        urlConnection(rpc, "java-url-connection", false);
        urlConnection(rpc, "java-url-connection-chunked", true);
        webSocket(ws, "java-websocket", null);
        webSocket(ws, "java-websocket-origin", ws.replaceFirst("^ws", "http").replaceFirst("/$", ""));
        System.exit(0); // its threads would go on for a while
    }
}
