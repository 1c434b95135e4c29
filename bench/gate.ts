// A simulated bank that can be made to hang: for what is measured while it does, and after it has come back.
import { Agent, type ServerResponse, createServer as createGate, request as askOn } from 'node:http';
import { startSimulator } from '../src/sandbox/simulator.ts';

export type Bank = { readonly url: string; hang(): void; letGo(): void; close(): Promise<void> };

/** The simulated providers behind a gate that can keep what goes to paths that begin so: taken, and never answered. */
export async function openBank(kept: string): Promise<Bank> {
  const bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => Date.now() });
  const agent = new Agent({ keepAlive: true });
  const held = new Set<ServerResponse>();
  let hanging = false;
  const gate = createGate((request, response) => {
    const { method, url = '', headers } = request;
    if (hanging && url.startsWith(kept)) {
      held.add(response);
      response.on('close', () => held.delete(response));
      return;
    }
    const onward = askOn({ host: '127.0.0.1', port: bank.port, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const port = await new Promise<number>((resolve) => {
    gate.listen(0, '127.0.0.1', () => {
      const address = gate.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    hang: () => {
      hanging = true;
    },
    letGo: () => {
      hanging = false;
      for (const response of held) response.destroy();
    },
    close: async () => {
      gate.close();
      gate.closeAllConnections();
      agent.destroy();
      await bank.close();
    },
  };
}
