package foreign;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.keycloak.Config;
import org.keycloak.common.util.Time;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.services.resource.RealmResourceProvider;
import org.keycloak.services.resource.RealmResourceProviderFactory;

/** The control protocol's clock below /realms/foreign/control, by the offset that Keycloak's own tests set. */
public class Clock implements RealmResourceProviderFactory, RealmResourceProvider {

  @Override
  public String getId() {
    return "control";
  }

  @Override
  public RealmResourceProvider create(KeycloakSession session) {
    return this;
  }

  @Override
  public Object getResource() {
    return new Control();
  }

  @Override
  public void init(Config.Scope config) {}

  @Override
  public void postInit(KeycloakSessionFactory factory) {}

  @Override
  public void close() {}

  @Path("")
  @Produces(MediaType.APPLICATION_JSON)
  public static class Control {

    @GET
    public Map<String, Object> capabilities() {
      return Map.of("protocol", 1, "capabilities", List.of("clock"));
    }

    @GET
    @Path("clock")
    public Map<String, Object> now() {
      return Map.of("now", Instant.ofEpochMilli(Time.currentTimeMillis()).toString(), "frozen", false);
    }

    @POST
    @Path("clock")
    @Consumes(MediaType.APPLICATION_JSON)
    public Map<String, Object> advance(Map<String, Object> move) {
      Time.setOffset(Time.getOffset() + ((Number) move.getOrDefault("advance", 0)).intValue());
      return now();
    }
  }
}
