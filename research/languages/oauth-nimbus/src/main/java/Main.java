import static java.lang.System.getenv;

import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.AuthorizationRequest;
import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.ClientCredentialsGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.Tokens;
import java.net.URI;

public class Main {
  private static final String URL = getenv("GAME_URL");
  private static final ClientSecretPost CLIENT =
      new ClientSecretPost(new ClientID(getenv("CLIENT_ID")), new Secret(getenv("CLIENT_SECRET")));

  private static Tokens tokens(AuthorizationGrant grant, Scope scope) throws Exception {
    var request = new TokenRequest.Builder(URI.create(URL + "/oauth/token"), CLIENT, grant).scope(scope).build();
    // The token of client credentials has an expires_in of null, which the library refuses.
    var reply = request.toHTTPRequest().send();
    reply.setBody(reply.getBody().replaceAll("\"expires_in\":\\s*null,?", ""));
    return TokenResponse.parse(reply).toSuccessResponse().getTokens();
  }

  private static HTTPResponse get(String path, AccessToken token) throws Exception {
    var request = new HTTPRequest(HTTPRequest.Method.GET, URI.create(URL + path));
    request.setAuthorization("Bearer " + token.getValue());
    return request.send();
  }

  public static void main(String[] arguments) throws Exception {
    var callback = URI.create("https://app.example/callback");
    var verifier = new CodeVerifier();
    var state = new State();
    var page = new AuthorizationRequest.Builder(ResponseType.CODE, CLIENT.getClientID())
        .endpointURI(URI.create(URL + "/oauth/authorize")).redirectionURI(callback)
        .scope(new Scope("account:profile")).state(state)
        .codeChallenge(verifier, CodeChallengeMethod.S256).build();
    // A browser goes to the page; here the mock consents at once and says where the browser would come back.
    var visit = new HTTPRequest(HTTPRequest.Method.GET, page.toURI());
    visit.setFollowRedirects(false);
    var back = AuthorizationResponse.parse(visit.send().getLocation()).toSuccessResponse();
    if (!state.equals(back.getState())) throw new IllegalStateException("this answer is to another request");
    var user = tokens(new AuthorizationCodeGrant(back.getAuthorizationCode(), callback, verifier), null);
    System.out.println("code: " + get("/profile", user.getAccessToken()).getBodyAsJSONObject().get("name"));

    var fresh = tokens(new RefreshTokenGrant(user.getRefreshToken()), null).getAccessToken();
    System.out.println("refresh: " + get("/profile", fresh).getBodyAsJSONObject().get("name"));

    var service = tokens(new ClientCredentialsGrant(), new Scope("service:leagues")).getAccessToken();
    System.out.println("client credentials: " + get("/league", service).getStatusCode());

    new TokenRevocationRequest(URI.create(URL + "/oauth/token/revoke"), CLIENT, fresh).toHTTPRequest().send();
    System.out.println("revocation: " + get("/profile", fresh).getStatusCode());
  }
}
