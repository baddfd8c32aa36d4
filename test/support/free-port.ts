// A port for a program that is told its own, or that comes back at the same one. Guarantees: no
// other test process gets it from here while this one lives, and no connection and no listener at
// port 0 is given it by the system: both take theirs from above (ip_local_port_range of Linux).
// Not guaranteed: that no other program of the machine listens there later.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const FIRST = 10_240;
const LAST = 32_767;
const host = '127.0.0.1';

/** On loopback. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if ((await canListen(port)) && (await hold(port))) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** By the UDP port of the same number, which nobody uses, for as long as this process lives. */
function hold(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}
