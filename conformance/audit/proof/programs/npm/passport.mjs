// A web site with express and passport-oauth2: the user opens its login page, and is sent on.
import { execFile } from 'node:child_process';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OAuth2Strategy from 'passport-oauth2';

const { env } = process;
const callback = new URL(env.GAMEDATA_REDIRECT_URI);
const agent = { 'user-agent': 'example-site/0.3 (contact: site@example.com)' };

async function get(path, token) {
  const answer = await fetch(env.GAMEDATA_BASE_URL + path, {
    headers: { authorization: `Bearer ${token}`, ...agent },
    signal: AbortSignal.timeout(20_000),
  });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return answer.json();
}

passport.use(
  new OAuth2Strategy(
    {
      authorizationURL: `${env.GAMEDATA_AUTH_URL}/oauth/authorize`,
      tokenURL: `${env.GAMEDATA_AUTH_URL}/oauth/token`,
      clientID: env.GAMEDATA_CLIENT_ID,
      clientSecret: env.GAMEDATA_CLIENT_SECRET,
      callbackURL: callback.href,
      scope: ['account:profile'],
      scopeSeparator: ' ',
      state: true,
      pkce: true,
      customHeaders: agent,
    },
    (accessToken, refreshToken, profile, done) => done(null, { accessToken, refreshToken }),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: 'of the session', resave: false, saveUninitialized: false }));
app.use(passport.initialize());
app.use(passport.session());
app.get('/login', passport.authenticate('oauth2'));
app.get(callback.pathname, passport.authenticate('oauth2', { failureRedirect: '/failed' }), (req, res) =>
  res.redirect('/'),
);
app.get('/failed', (req, res) => {
  res.status(403).send('Login failed.');
  finish(new Error('login failed'));
});
app.get('/', async (req, res) => {
  if (!req.user) return res.redirect('/login');
  try {
    const { name } = await get('/profile', req.user.accessToken);
    res.send(`Hello, ${name}.`);
    finish();
  } catch (error) {
    res.status(502).send('The game is not there.');
    finish(error);
  }
});

const server = app.listen(Number(callback.port), '127.0.0.1', () =>
  execFile(env.BROWSER, [new URL('/login', callback).href]),
);
function finish(error) {
  if (error) console.error(error.message);
  process.exitCode = error ? 1 : 0;
  server.close();
  setTimeout(() => server.closeAllConnections(), 100);
}
setTimeout(() => finish(new Error('nobody logged in')), 20_000).unref();
