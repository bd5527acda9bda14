# Unpacks Keycloak, adds the provider with the clock, and writes the realm that it imports.
set -e
mvn -q -B package
home=dist/keycloak-26.7.0
mkdir -p classes/META-INF/services "$home/data/import"
javac -d classes -cp "$home/lib/lib/main/*" src/Clock.java
echo 'foreign.Clock' > classes/META-INF/services/org.keycloak.services.resource.RealmResourceProviderFactory
jar --create --file "$home/providers/clock.jar" -C classes .
node realm.mjs > "$home/data/import/foreign-realm.json"
"$home/bin/kc.sh" build --db=dev-mem --cache=local
