/** That of package.json; a test says so. */
export const VERSION = '0.1.0';

/** Of the API, that this was generated for; a test says so. */
export const API_VERSION = '2026-11-25';
