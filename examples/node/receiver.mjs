// A receiver of notifications: NOTIFICATION_SECRETS=whsec_… node examples/node/receiver.mjs
import { createServer } from 'node:http';
import { take } from './notifications.mjs';

// region: receiver
const { PORT = '3000' } = process.env;

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { http, did } = take(request.headers, Buffer.concat(chunks)); // the bytes as they came, not parsed and written again
    console.log(`${request.headers['webhook-id']} ${did}`);
    response.writeHead(http).end();
  } catch (error) {
    console.error(error); // not stored: it is sent again
    response.writeHead(500).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`));
// endregion
