// The least that an Express server can be: what the mock's start is compared with.
import express from 'express';

const app = express();
app.get('/profile', (_req, res) => res.json({ name: 'alice' }));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${server.address().port}` })),
);
