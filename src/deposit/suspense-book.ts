// What other folders may read and write of money in suspense, each under the locks that its header
// names.

export { listRemarks } from './remark-store.ts';
export {
  findSuspenseOfTransfer,
  findSuspenseRow,
  insertSuspense,
  insertSuspenseAct,
  listSuspenseActs,
  listSuspenseRows,
  lockSuspenseRow,
  type SuspenseAct,
  type SuspenseFilter,
  updateSuspense,
} from './suspense-store.ts';
