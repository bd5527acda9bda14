import com.github.scribejava.core.builder.ServiceBuilder;
import com.github.scribejava.core.builder.api.DefaultApi20;
import com.github.scribejava.core.model.OAuthRequest;
import com.github.scribejava.core.model.Verb;
import com.github.scribejava.core.oauth.AccessTokenRequestParams;
import com.github.scribejava.core.oauth2.clientauthentication.ClientAuthentication;
import com.github.scribejava.core.oauth2.clientauthentication.RequestBodyAuthenticationScheme;
import java.util.Random;

/** ScribeJava, as its Google example has it: its state, which it compares and only complains of, and PKCE. */
public final class Scribe {
  static final class Game extends DefaultApi20 {
    @Override
    public String getAccessTokenEndpoint() {
      return Loopback.AUTH + "/oauth/token";
    }

    @Override
    protected String getAuthorizationBaseUrl() {
      return Loopback.AUTH + "/oauth/authorize";
    }

    @Override
    public ClientAuthentication getClientAuthentication() {
      return RequestBodyAuthenticationScheme.instance();
    }
  }

  public static void main(String[] arguments) throws Exception {
    var loopback = new Loopback();
    String secretState = "secret" + new Random().nextInt(999_999);
    var service = new ServiceBuilder(Loopback.CLIENT).defaultScope(Loopback.SCOPES).callback(loopback.redirectUri)
        .build(new Game());
    var builder = service.createAuthorizationUrlBuilder().state(secretState).initPKCE();
    var answer = Loopback.query(loopback.visited(builder.build()));
    if (!secretState.equals(answer.get("state"))) System.out.println("Ooops, state value does not match!");
    var token = service.getAccessToken(
        AccessTokenRequestParams.create(answer.get("code")).pkceCodeVerifier(builder.getPkce().getCodeVerifier()));
    final var current = new com.github.scribejava.core.model.OAuth2AccessToken[] {token};
    Loopback.Get get = path -> {
      var request = new OAuthRequest(Verb.GET, Loopback.BASE + path);
      service.signRequest(current[0], request);
      try (var response = service.execute(request)) {
        if (!response.isSuccessful()) throw new IllegalStateException(path + ": HTTP " + response.getCode());
        return response.getBody();
      }
    };
    get.from("/profile");
    current[0] = service.refreshAccessToken(token.getRefreshToken());
    Loopback.readAccount(get);
    System.exit(0);
  }
}
