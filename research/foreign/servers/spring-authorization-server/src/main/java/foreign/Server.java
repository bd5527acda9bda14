package foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.config.annotation.web.configurers.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.OAuth2TokenFormat;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.HtmlUtils;

/** Spring Authorization Server, put together as its reference does. */
@SpringBootApplication
public class Server {

  private static final JsonNode world = world();

  public static void main(String[] arguments) {
    SpringApplication application = new SpringApplication(Server.class);
    application.setDefaultProperties(Map.of("server.port", System.getenv("PORT"), "server.address", "127.0.0.1"));
    application.run(arguments);
  }

  private static JsonNode world() {
    try {
      return new ObjectMapper().readTree(new File("../world.json"));
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  @Bean
  @Order(1)
  SecurityFilterChain authorizationServer(HttpSecurity http) throws Exception {
    OAuth2AuthorizationServerConfigurer configurer = OAuth2AuthorizationServerConfigurer.authorizationServer();
    http
      .securityMatcher(configurer.getEndpointsMatcher())
      .with(configurer, (server) ->
        server.authorizationEndpoint((endpoint) -> endpoint.consentPage("/consent")))
      .authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
      .csrf((csrf) -> csrf.disable())
      .exceptionHandling((handling) ->
        handling.defaultAuthenticationEntryPointFor(
          new LoginUrlAuthenticationEntryPoint("/login"),
          new MediaTypeRequestMatcher(MediaType.TEXT_HTML)));
    return http.build();
  }

  @Bean
  @Order(2)
  SecurityFilterChain pages(HttpSecurity http) throws Exception {
    http
      .authorizeHttpRequests((requests) ->
        requests.requestMatchers("/login", "/error").permitAll().anyRequest().authenticated())
      .csrf((csrf) -> csrf.disable())
      .formLogin((form) -> form.loginPage("/login").usernameParameter("account"));
    return http.build();
  }

  @Bean
  UserDetailsService users() {
    List<UserDetails> users = new ArrayList<>();
    world.get("accounts").fieldNames().forEachRemaining((name) ->
      users.add(User.withUsername(name).password("password").roles("USER").build()));
    return new InMemoryUserDetailsManager(users);
  }

  /** Secrets as they are: hashing each of some thousand requests would take most of the run. */
  @Bean
  @SuppressWarnings("deprecation")
  PasswordEncoder encoder() {
    return NoOpPasswordEncoder.getInstance();
  }

  @Bean
  AuthorizationServerSettings settings() {
    return AuthorizationServerSettings.builder()
      .authorizationEndpoint("/oauth/authorize")
      .tokenEndpoint("/oauth/token")
      .tokenRevocationEndpoint("/oauth/token/revoke")
      .tokenIntrospectionEndpoint("/oauth/token/introspect")
      .build();
  }

  @Bean
  RegisteredClientRepository clients() {
    List<RegisteredClient> clients = new ArrayList<>();
    world.get("clients").elements().forEachRemaining((known) -> clients.add(client(known)));
    return new InMemoryRegisteredClientRepository(clients);
  }

  private static RegisteredClient client(JsonNode known) {
    String id = known.get("client_id").asText();
    boolean isPublic = !known.has("client_secret");
    boolean users = known.has("redirect_uri");
    RegisteredClient.Builder client = RegisteredClient.withId(id)
      .clientId(id)
      .clientAuthenticationMethod(
        isPublic ? ClientAuthenticationMethod.NONE : ClientAuthenticationMethod.CLIENT_SECRET_POST)
      .authorizationGrantType(
        users ? AuthorizationGrantType.AUTHORIZATION_CODE : AuthorizationGrantType.CLIENT_CREDENTIALS);
    if (!isPublic) client.clientSecret(known.get("client_secret").asText());
    if (users) client.redirectUri(known.get("redirect_uri").asText());
    if (known.has("redirect_uris")) known.get("redirect_uris").forEach((uri) -> client.redirectUri(uri.asText()));
    if (known.path("refresh").asBoolean()) client.authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN);
    known.get("scopes").forEach((scope) -> client.scope(scope.asText()));
    Duration access = !users ? Duration.ofDays(36500) : isPublic ? Duration.ofHours(10) : Duration.ofDays(28);
    return client
      .clientSettings(
        ClientSettings.builder().requireProofKey(true).requireAuthorizationConsent(true).build())
      .tokenSettings(
        TokenSettings.builder()
          .authorizationCodeTimeToLive(Duration.ofSeconds(30))
          .accessTokenTimeToLive(access)
          .refreshTokenTimeToLive(Duration.ofDays(isPublic ? 7 : 90))
          .accessTokenFormat(OAuth2TokenFormat.REFERENCE)
          .reuseRefreshTokens(false)
          .build())
      .build();
  }

  /** The memory that the package ships, one request at a time: it is not safe for threads. */
  @Bean
  OAuth2AuthorizationService authorizations() {
    OAuth2AuthorizationService memory = new InMemoryOAuth2AuthorizationService();
    return new OAuth2AuthorizationService() {
      @Override
      public synchronized void save(OAuth2Authorization authorization) {
        memory.save(authorization);
      }

      @Override
      public synchronized void remove(OAuth2Authorization authorization) {
        memory.remove(authorization);
      }

      @Override
      public synchronized OAuth2Authorization findById(String id) {
        return memory.findById(id);
      }

      @Override
      public synchronized OAuth2Authorization findByToken(String token, OAuth2TokenType type) {
        return memory.findByToken(token, type);
      }
    };
  }

  /** Nothing of a consent is kept, so that every request asks. */
  @Bean
  OAuth2AuthorizationConsentService consents() {
    return new OAuth2AuthorizationConsentService() {
      @Override
      public void save(
        OAuth2AuthorizationConsent consent) {}

      @Override
      public void remove(
        OAuth2AuthorizationConsent consent) {}

      @Override
      public OAuth2AuthorizationConsent findById(
        String client, String principal) {
        return null;
      }
    };
  }

  /** A consent that lists no scope is a denial to Spring: the button takes them out. */
  @Bean
  FilterRegistrationBean<OncePerRequestFilter> decisions() {
    FilterRegistrationBean<OncePerRequestFilter> bean = new FilterRegistrationBean<>(new OncePerRequestFilter() {
      @Override
      protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws ServletException, IOException {
        boolean consent = "POST".equals(request.getMethod()) && request.getRequestURI().equals("/oauth/authorize");
        chain.doFilter(consent ? new Decided(request) : request, response);
      }
    });
    bean.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return bean;
  }

  private static class Decided extends HttpServletRequestWrapper {

    private final Map<String, String[]> parameters;

    Decided(HttpServletRequest request) {
      super(request);
      parameters = new HashMap<>(request.getParameterMap());
      String[] decision = parameters.remove("decision");
      if (decision != null && decision[0].equals("deny")) parameters.remove("scope");
    }

    @Override
    public String getParameter(String name) {
      String[] values = parameters.get(name);
      return values == null ? null : values[0];
    }

    @Override
    public Map<String, String[]> getParameterMap() {
      return Collections.unmodifiableMap(parameters);
    }

    @Override
    public Enumeration<String> getParameterNames() {
      return Collections.enumeration(parameters.keySet());
    }

    @Override
    public String[] getParameterValues(String name) {
      return parameters.get(name);
    }
  }

  /** The pages of the login and the consent. */
  @RestController
  static class Pages {

    @GetMapping(path = "/login", produces = "text/html")
    String login() {
      return "<!doctype html><form method='post'><input name='account'>"
        + "<input type='hidden' name='password' value='password'><button>Sign in</button></form>";
    }

    @GetMapping(path = "/consent", produces = "text/html")
    String consent(@RequestParam("client_id") String client, @RequestParam String scope, @RequestParam String state) {
      StringBuilder page = new StringBuilder("<!doctype html><form method='post' action='/oauth/authorize'>");
      hidden(page, "client_id", client);
      hidden(page, "state", state);
      for (String one : scope.split(" ")) hidden(page, "scope", one);
      return page + "<button name='decision' value='approve'>Approve</button>"
        + "<button name='decision' value='deny'>Deny</button></form>";
    }

    private static void hidden(StringBuilder page, String name, String value) {
      page.append("<input type='hidden' name='" + name + "' value='" + HtmlUtils.htmlEscape(value) + "'>");
    }
  }
}
