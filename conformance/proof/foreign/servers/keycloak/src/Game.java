package foreign;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.keycloak.Config;
import org.keycloak.common.util.Time;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.UserModel;
import org.keycloak.services.managers.AppAuthManager;
import org.keycloak.services.managers.AuthenticationManager.AuthResult;
import org.keycloak.services.resource.RealmResourceProvider;
import org.keycloak.services.resource.RealmResourceProviderFactory;

/** Three resources behind Keycloak's own check of bearer tokens, and the clock of its own tests: Time.setOffset. */
public class Game implements RealmResourceProviderFactory {

  @Override
  public String getId() {
    return "game";
  }

  @Override
  public RealmResourceProvider create(KeycloakSession session) {
    return new RealmResourceProvider() {
      @Override
      public Object getResource() {
        return new Resources(session);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void init(Config.Scope config) {}

  @Override
  public void postInit(KeycloakSessionFactory factory) {}

  @Override
  public void close() {}

  @Path("")
  @Produces(MediaType.APPLICATION_JSON)
  public static class Resources {

    private final KeycloakSession session;

    public Resources(KeycloakSession session) {
      this.session = session;
    }

    @GET
    @Path("profile")
    public Response profile() {
      return guarded("account:profile", (user) -> {
        Map<String, Object> profile = new HashMap<>();
        profile.put("uuid", user.getId());
        profile.put("name", user.getUsername());
        profile.put("locale", null);
        return profile;
      });
    }

    @GET
    @Path("character")
    public Response characters() {
      return guarded("account:characters", (user) -> Map.of("characters", List.of()));
    }

    @GET
    @Path("league")
    public Response leagues() {
      return guarded("service:leagues", (user) -> Map.of("leagues", List.of()));
    }

    @GET
    @Path("control")
    public Map<String, Object> capabilities() {
      return Map.of("protocol", 1, "capabilities", List.of("clock"));
    }

    @GET
    @Path("control/clock")
    public Map<String, Object> clock() {
      return Map.of("now", Instant.ofEpochMilli(Time.currentTimeMillis()).toString(), "frozen", false);
    }

    @POST
    @Path("control/clock")
    @Consumes(MediaType.APPLICATION_JSON)
    public Map<String, Object> advance(Map<String, Object> move) {
      Time.setOffset(Time.getOffset() + ((Number) move.getOrDefault("advance", 0)).intValue());
      return clock();
    }

    private Response guarded(String scope, Function<UserModel, Object> body) {
      AuthResult found = new AppAuthManager.BearerTokenAuthenticator(session).authenticate();
      if (found == null) return Response.status(401).entity(Map.of("error", "invalid_token")).build();
      if (!List.of(found.token().getScope().split(" ")).contains(scope))
        return Response.status(403).entity(Map.of("error", "insufficient_scope")).build();
      return Response.ok(body.apply(found.user())).build();
    }
  }
}
