// A simulated bank that can be made to hang: for what is measured while it does, and after it has come back.
import { Agent, type ServerResponse, createServer as createGate, request as askOn } from 'node:http';
import { listeningPort } from '../src/kit/listening-port.ts';
import { startSimulator } from '../src/sandbox/simulator.ts';

export type Bank = {
  readonly url: string;
  /** From now on nothing is answered; every other request is done all the same, or none. */
  hang(done?: 'every other' | 'none'): void;
  letGo(): void;
  close(): Promise<void>;
};

/** The simulated providers behind a gate that can keep what goes to paths that begin so: taken, and never answered. */
export async function openBank(kept: string): Promise<Bank> {
  const bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => Date.now() });
  const agent = new Agent({ keepAlive: true });
  const held = new Set<ServerResponse>();
  let hanging = false;
  let does: 'every other' | 'none' = 'none';
  let asked = 0;
  const gate = createGate((request, response) => {
    const { method, url = '', headers } = request;
    if (hanging && url.startsWith(kept)) {
      held.add(response);
      response.on('close', () => held.delete(response));
      if (does === 'none' || asked++ % 2 === 0) return;
    }
    const is_held = hanging;
    const onward = askOn({ host: '127.0.0.1', port: bank.port, method, path: url, headers, agent }, (answer) => {
      if (is_held) {
        answer.resume();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const port = await new Promise<number>((resolve) => {
    gate.listen(0, '127.0.0.1', () => {
      resolve(listeningPort(gate));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    hang: (done = 'none') => {
      hanging = true;
      does = done;
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
