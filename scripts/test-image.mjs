// npm run test:image: builds the image for this architecture and the other one, runs this one's, pays a
// checkout in it and weighs it. Needs Linux, root, and the Debian packages buildah, podman, runc and
// mmdebstrap. Where no registry of images is reached, the first stage stands on a base made from Debian's
// own archive. Not part of npm test.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { architecture, buildService, nameOf, openStore } from './build-images.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const env = openStore();
const other = architecture === 'amd64' ? 'arm64' : 'amd64';
buildService(env, node, [architecture, other]);
const { status } = spawnSync(node, ['--test', 'test/image/image-stories.ts'], {
  cwd: root,
  env: {
    ...env,
    QUITTANCE_TEST_IMAGE: nameOf(architecture),
    QUITTANCE_TEST_IMAGE_OTHER: nameOf(other),
  },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
