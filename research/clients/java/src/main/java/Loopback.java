import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The user's browser, the loopback address to which it comes back, and what is read of an account. */
final class Loopback {
  static final String BASE = System.getenv("GAMEDATA_BASE_URL");
  static final String AUTH = System.getenv("GAMEDATA_AUTH_URL");
  static final String CLIENT = System.getenv("GAMEDATA_PUBLIC_CLIENT_ID");
  static final String SCOPES = "account:profile account:characters account:leagues";

  final String redirectUri;
  private final HttpServer server;
  private final CompletableFuture<URI> answer = new CompletableFuture<>();

  Loopback() throws Exception {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    redirectUri = "http://127.0.0.1:" + server.getAddress().getPort() + "/callback";
    server.createContext("/callback", exchange -> {
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
      answer.complete(exchange.getRequestURI());
    });
    server.start();
  }

  /** The URI of the first callback after the browser was sent to a page. */
  URI visited(String page) throws Exception {
    new ProcessBuilder(System.getenv("BROWSER"), page).start();
    URI uri = answer.get();
    server.stop(0);
    return URI.create(redirectUri).resolve(uri);
  }

  static Map<String, String> query(URI uri) {
    Map<String, String> found = new HashMap<>();
    for (String pair : uri.getRawQuery().split("&")) {
      String[] parts = pair.split("=", 2);
      found.put(parts[0], java.net.URLDecoder.decode(parts.length > 1 ? parts[1] : "", StandardCharsets.UTF_8));
    }
    return found;
  }

  interface Get {
    String from(String path) throws Exception;
  }

  static void readAccount(Get get) throws Exception {
    JsonObject list = JsonParser.parseString(get.from("/character")).getAsJsonObject();
    int count = 0;
    for (var one : list.getAsJsonArray("characters")) {
      if (count++ == 2) break;
      String name = one.getAsJsonObject().get("name").getAsString();
      get.from("/character/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    get.from("/account/leagues");
  }

}
