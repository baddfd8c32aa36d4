import path from 'node:path';
import { installPythonShop, lacking } from '../prepare.mjs';

export default {
  missing: () => lacking('python3'),
  prepare: installPythonShop,
  start: ({ folder }) => ({
    program: path.join(folder, 'venv', 'bin', 'python'),
    words: ['shop.py'],
  }),
};
