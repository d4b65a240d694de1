/** Begins the log of each new process, so that what an earlier one said is not held against it. */
export const START_MARK = '--- Started'
