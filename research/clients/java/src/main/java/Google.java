import com.google.api.client.auth.oauth2.AuthorizationCodeFlow;
import com.google.api.client.auth.oauth2.AuthorizationCodeRequestUrl;
import com.google.api.client.auth.oauth2.BearerToken;
import com.google.api.client.auth.oauth2.ClientParametersAuthentication;
import com.google.api.client.extensions.java6.auth.oauth2.AuthorizationCodeInstalledApp;
import com.google.api.client.extensions.jetty.auth.oauth2.LocalServerReceiver;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import java.util.Arrays;
import java.util.UUID;

/** google-oauth-client, as its command line sample has it, with PKCE and the state that the service asks for. */
public final class Google {
  public static void main(String[] arguments) throws Exception {
    var transport = new NetHttpTransport();
    var flow = new AuthorizationCodeFlow.Builder(
        BearerToken.authorizationHeaderAccessMethod(), transport, GsonFactory.getDefaultInstance(),
        new GenericUrl(Loopback.AUTH + "/oauth/token"), new ClientParametersAuthentication(Loopback.CLIENT, null),
        Loopback.CLIENT, Loopback.AUTH + "/oauth/authorize")
        .setScopes(Arrays.asList(Loopback.SCOPES.split(" "))).enablePKCE().build();
    var receiver = new LocalServerReceiver.Builder().setHost("127.0.0.1").setCallbackPath("/callback").build();
    var credential = new AuthorizationCodeInstalledApp(flow, receiver) {
      @Override
      protected void onAuthorization(AuthorizationCodeRequestUrl page) throws java.io.IOException {
        page.setState(UUID.randomUUID().toString());
        super.onAuthorization(page);
      }
    }.authorize("user");
    var requests = transport.createRequestFactory(credential);
    Loopback.Get get = path -> requests.buildGetRequest(new GenericUrl(Loopback.BASE + path)).execute().parseAsString();
    get.from("/profile");
    credential.refreshToken();
    Loopback.readAccount(get);
    System.exit(0);
  }
}
