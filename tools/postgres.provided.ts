/** Tells the types what `inject('postgresUrl')` gives a test of the API. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL of this test run, with the right to create databases. */
    postgresUrl: string
  }
}

export {}
