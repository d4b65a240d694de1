/** Tells the types what `inject` gives a test of the API. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** For temporary folders; gone after the run. */
    apiFolder: string
    /** The file of `trunkline` as it is installed, without sources beside it. */
    installedCommand: string
    /** A file: migrated, empty, to be copied. */
    sqliteTemplate: string
    /** A PostgreSQL of this test run, with the right to create databases. */
    postgresUrl: string
    /** The name of a database in it: migrated, empty, to be copied. */
    postgresTemplate: string
    /** Whether what calls answer is written down for the API reference. */
    writesExamples: boolean
  }
}

export {}
