// Who signs, and where it is reached: over a socket of this machine, or over TLS on another one.
import { resolve } from 'node:path';
import { findNetwork } from '#catalog/network.ts';
import type { SignerPlace } from '#signer/client.ts';

export type SignerAccess = {
  readonly place: SignerPlace;
  readonly networks: readonly string[];
};

/** Undefined where there is none. */
export function signerSettings(
  directory: string,
  faults: string[],
  { text, networks }: { text: (name: string) => string; networks: readonly string[] },
): SignerAccess | undefined {
  for (const network of networks) {
    if (findNetwork(network) === undefined) {
      faults.push(`SIGNER_NETWORKS: unknown network ${network}; npx quittance networks lists them`);
    }
    if (text(`${network}_WALLET`) !== '') {
      faults.push(`SIGNER_NETWORKS: not ${network} beside ${network}_WALLET; one of both signs`);
    }
  }
  const [socket, address] = [text('SIGNER_SOCKET'), text('SIGNER_ADDRESS')];
  if (socket === '' && address === '' && networks.length === 0) return undefined;
  if (socket === '' && address === '') {
    faults.push('SIGNER_SOCKET: missing, or SIGNER_ADDRESS, while SIGNER_NETWORKS is set');
  }
  if (socket !== '' && address !== '') {
    faults.push('SIGNER_ADDRESS: the signer is at SIGNER_SOCKET already, leave one out');
  }
  if (networks.length === 0) faults.push('SIGNER_NETWORKS: missing, while a signer is set');
  const place =
    address === '' ? resolve(directory, socket) : signerOverTls(text, address, directory, faults);
  return { place, networks };
}

function signerOverTls(
  text: (name: string) => string,
  address: string,
  directory: string,
  faults: string[],
): SignerPlace {
  const [, inBrackets, plain, port = ''] =
    /^(?:\[([\da-f:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(address) ?? [];
  const host = inBrackets ?? plain ?? '';
  if (host === '') faults.push(`SIGNER_ADDRESS: must be a host and a port, not "${address}"`);
  const file = (name: string) => {
    if (text(name) === '') faults.push(`${name}: missing, while SIGNER_ADDRESS is set`);
    return resolve(directory, text(name));
  };
  return {
    host,
    port: Number(port),
    keyFile: file('SIGNER_KEY_FILE'),
    certificateFile: file('SIGNER_CERTIFICATE_FILE'),
    authorityFile: file('SIGNER_AUTHORITY_FILE'),
    serverName: text('SIGNER_SERVER_NAME') || undefined,
  };
}
