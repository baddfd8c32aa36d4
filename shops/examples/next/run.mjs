import path from 'node:path';
import { installNodeShop, run } from '../prepare.mjs';

const program = ({ folder }) => path.join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');

export default {
  prepare: (place) => {
    installNodeShop(place);
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    run(place.node, [program(place), 'build'], place.folder, env);
  },
  start: ({ node, folder, port }) => ({
    program: node,
    words: [program({ folder }), 'start', '-p', String(port), '-H', '127.0.0.1'],
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  }),
};
