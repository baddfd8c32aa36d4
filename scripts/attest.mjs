// What the key of the release says of an archive: out of which commit, how and with what it was built.
// An in-toto Statement (https://in-toto.io/Statement/v1) with SLSA provenance
// (https://slsa.dev/provenance/v1) in an envelope of DSSE, as one line of JSON. No time is in it: the same
// archive, built with the same tools and signed by the same key, has the same attestation.

const STATEMENT = 'https://in-toto.io/Statement/v1';
const PROVENANCE = 'https://slsa.dev/provenance/v1';
const PAYLOAD = 'application/vnd.in-toto+json';
/** What stands in `externalParameters` is told by docs/operate/release.md. */
const BUILD = 'urn:quittance:build:release:v1';

/** `built`: file, sha256, commit, lockSha256, command, tools (versions by name); `key`: see ssh-key.mjs. */
export async function attest(built, key) {
  const payload = Buffer.from(JSON.stringify(statementOf(built, key.fingerprint)));
  const signature = await key.sign(preAuthentication(payload));
  const envelope = {
    payloadType: PAYLOAD,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.fingerprint, sig: signature.toString('base64') }],
  };
  return `${JSON.stringify(envelope)}\n`;
}

function statementOf({ file, sha256, commit, lockSha256, command, tools }, fingerprint) {
  return {
    _type: STATEMENT,
    subject: [{ name: file, digest: { sha256 } }],
    predicateType: PROVENANCE,
    predicate: {
      buildDefinition: {
        buildType: BUILD,
        externalParameters: { commit, command },
        resolvedDependencies: [
          { name: 'quittance', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockSha256 } },
        ],
      },
      runDetails: {
        builder: { id: `urn:quittance:release-key:${fingerprint}`, version: tools },
      },
    },
  };
}

/** What is signed: the kind of the payload with it, so that it is never read as something else. */
function preAuthentication(payload) {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${PAYLOAD.length} ${PAYLOAD} ${payload.length} `),
    payload,
  ]);
}
