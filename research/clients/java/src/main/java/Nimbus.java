import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.AuthorizationRequest;
import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.Tokens;
import java.net.URI;

/** Nimbus OAuth 2.0 SDK, as its examples have it. */
public final class Nimbus {
  static final ClientID CLIENT = new ClientID(Loopback.CLIENT);

  static Tokens tokens(AuthorizationGrant grant) throws Exception {
    var request = new TokenRequest.Builder(URI.create(Loopback.AUTH + "/oauth/token"), CLIENT, grant).build();
    var response = TokenResponse.parse(request.toHTTPRequest().send());
    if (!response.indicatesSuccess()) throw new IllegalStateException(response.toErrorResponse().getErrorObject().getCode());
    return response.toSuccessResponse().getTokens();
  }

  public static void main(String[] arguments) throws Exception {
    var loopback = new Loopback();
    var callback = URI.create(loopback.redirectUri);
    var verifier = new CodeVerifier();
    var state = new State();
    var page = new AuthorizationRequest.Builder(ResponseType.CODE, CLIENT)
        .endpointURI(URI.create(Loopback.AUTH + "/oauth/authorize")).redirectionURI(callback)
        .scope(Scope.parse(Loopback.SCOPES)).state(state)
        .codeChallenge(verifier, CodeChallengeMethod.S256).build();
    var answer = AuthorizationResponse.parse(loopback.visited(page.toURI().toString()));
    if (!state.equals(answer.getState())) throw new IllegalStateException("Unexpected or tampered response");
    if (!answer.indicatesSuccess()) throw new IllegalStateException(answer.toErrorResponse().getErrorObject().getCode());
    var code = answer.toSuccessResponse().getAuthorizationCode();
    final var current = new Tokens[] {tokens(new AuthorizationCodeGrant(code, callback, verifier))};
    Loopback.Get get = path -> {
      var request = new HTTPRequest(HTTPRequest.Method.GET, URI.create(Loopback.BASE + path));
      request.setAuthorization(current[0].getAccessToken().toAuthorizationHeader());
      var response = request.send();
      if (!response.indicatesSuccess()) throw new IllegalStateException(path + ": HTTP " + response.getStatusCode());
      return response.getBody();
    };
    get.from("/profile");
    current[0] = tokens(new RefreshTokenGrant(current[0].getRefreshToken()));
    Loopback.readAccount(get);
    System.exit(0);
  }
}
