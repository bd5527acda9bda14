import static java.lang.System.getenv;
import static org.springframework.security.oauth2.core.AuthorizationGrantType.AUTHORIZATION_CODE;
import static org.springframework.security.oauth2.core.AuthorizationGrantType.CLIENT_CREDENTIALS;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.OAuth2ClientCredentialsGrantRequest;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientClientCredentialsTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationExchange;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.client.RestClient;
import org.springframework.web.util.UriComponentsBuilder;

public class Main {
  private static final String URL = getenv("GAME_URL");
  private static final RestClient HTTP =
      RestClient.builder().baseUrl(URL).defaultStatusHandler(status -> true, (request, response) -> {}).build();

  private static ClientRegistration application(AuthorizationGrantType grant, String scope) {
    return ClientRegistration.withRegistrationId("game")
        .clientId(getenv("CLIENT_ID")).clientSecret(getenv("CLIENT_SECRET"))
        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_POST)
        .authorizationGrantType(grant).scope(scope).redirectUri("https://app.example/callback")
        .authorizationUri(URL + "/oauth/authorize").tokenUri(URL + "/oauth/token").build();
  }

  private static ResponseEntity<JsonNode> get(String path, OAuth2AccessToken token) {
    return HTTP.get().uri(path).header("Authorization", "Bearer " + token.getTokenValue())
        .retrieve().toEntity(JsonNode.class);
  }

  private static String name(OAuth2AccessToken token) {
    var profile = get("/profile", token).getBody();
    return profile == null ? "nobody" : profile.path("name").asText();
  }

  public static void main(String[] arguments) {
    var user = application(AUTHORIZATION_CODE, "account:profile");
    var wish = OAuth2AuthorizationRequest.authorizationCode()
        .clientId(user.getClientId()).authorizationUri(user.getProviderDetails().getAuthorizationUri())
        .redirectUri(user.getRedirectUri()).scopes(user.getScopes()).state(UUID.randomUUID().toString());
    OAuth2AuthorizationRequestCustomizers.withPkce().accept(wish);
    var request = wish.build();
    // A browser goes to the page; here the mock consents at once and says where the browser would come back.
    var back = HTTP.get().uri(URI.create(request.getAuthorizationRequestUri()))
        .retrieve().toBodilessEntity().getHeaders().getLocation();
    var answer = UriComponentsBuilder.fromUri(back).build().getQueryParams();
    if (!request.getState().equals(answer.getFirst("state")))
      throw new IllegalStateException("this answer is to another request");
    var response = OAuth2AuthorizationResponse.success(answer.getFirst("code"))
        .state(answer.getFirst("state")).redirectUri(user.getRedirectUri()).build();
    var tokens = new RestClientAuthorizationCodeTokenResponseClient().getTokenResponse(
        new OAuth2AuthorizationCodeGrantRequest(user, new OAuth2AuthorizationExchange(request, response)));
    System.out.println("code: " + name(tokens.getAccessToken()));

    var fresh = new RestClientRefreshTokenTokenResponseClient().getTokenResponse(
        new OAuth2RefreshTokenGrantRequest(user, tokens.getAccessToken(), tokens.getRefreshToken())).getAccessToken();
    System.out.println("refresh: " + name(fresh));

    var service = new RestClientClientCredentialsTokenResponseClient().getTokenResponse(
        new OAuth2ClientCredentialsGrantRequest(application(CLIENT_CREDENTIALS, "service:leagues"))).getAccessToken();
    System.out.println("client credentials: " + get("/league", service).getStatusCode().value());

    // The library knows no revocation: a form of RFC 7009 with client authentication.
    var form = new LinkedMultiValueMap<String, String>();
    form.add("token", fresh.getTokenValue());
    form.add("client_id", user.getClientId());
    form.add("client_secret", user.getClientSecret());
    HTTP.post().uri("/oauth/token/revoke").body(form).retrieve().toBodilessEntity();
    System.out.println("revocation: " + get("/profile", fresh).getStatusCode().value());
  }
}
