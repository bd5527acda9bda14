// A bare node:http server that sends given bytes: what there is to compare with. Told by its parent what to send.
import { createServer } from 'node:http';

process.once('message', ({ replies }) => {
  const known = new Map(
    Object.entries(replies).map(([target, { headers, body }]) => [
      target,
      { headers, body: Buffer.from(body, 'base64') },
    ]),
  );
  const server = createServer((req, res) => {
    const reply = known.get(req.url);
    const send = () => res.writeHead(200, reply.headers).end(reply.body);
    if (req.method === 'GET') return send();
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => (Buffer.concat(chunks).toString(), send()));
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
