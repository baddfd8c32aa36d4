// A real SMTP server on loopback that keeps what it gets, and can be told what to answer.
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { loopbackShopCertificate, loopbackShopKey } from './self-signed.ts';

export type ReceivedMail = {
  readonly raw: string;
  readonly parsed: ParsedMail;
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
};

export type MailServer = {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
};

type Behaviour = {
  /** No STARTTLS at all. */
  readonly hasNoTls?: boolean;
  /** From the first byte on. */
  readonly isTlsFromStart?: boolean;
  /** Wanted of whoever signs in; undefined: nobody has to. */
  readonly password?: string;
  /** Answer to the receiver, such as `550 nobody`; undefined: welcome. */
  readonly refuseReceiver?: (address: string) => string | undefined;
  /** Answer to the letter itself. */
  readonly refuseLetter?: () => string | undefined;
};

export async function withMailServer(
  behaviour: Behaviour,
  act: (server: MailServer) => Promise<void>,
): Promise<void> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer(optionsOf(behaviour, received));
  // A client that goes away in the middle is part of the tests.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  try {
    await act({ port, received });
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
}

function optionsOf(
  { hasNoTls = false, isTlsFromStart = false, password, ...behaviour }: Behaviour,
  received: ReceivedMail[],
): SMTPServerOptions {
  return {
    key: loopbackShopKey,
    cert: loopbackShopCertificate,
    secure: isTlsFromStart,
    authOptional: password === undefined,
    // What it asks for on a plain line tells whether a password is sent there.
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: hasNoTls ? ['STARTTLS'] : [],
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      if (auth.password === password) done(null, { user: auth.username });
      else done(smtpError('535 wrong password'));
    },
    onRcptTo({ address }, _session, done) {
      const refusal = behaviour.refuseReceiver?.(address);
      done(refusal === undefined ? null : smtpError(refusal));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const refusal = behaviour.refuseLetter?.();
        if (refusal !== undefined) return done(smtpError(refusal));
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          raw,
          parsed: await simpleParser(raw),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
        });
        done(null, 'kept');
      });
    },
  };
}

/** `550 nobody here`. */
function smtpError(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
