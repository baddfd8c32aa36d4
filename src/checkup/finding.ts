/** One thing that was looked at. What is not `ok` needs somebody, and says what to do. */
export type Finding = { readonly ok: boolean; readonly what: string; readonly detail: string };
