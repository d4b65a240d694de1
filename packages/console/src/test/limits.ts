/**
 * Found within it or not at all. The first page of a run loads all of its modules, which took more
 * than 20 s where the cores belonged to media first.
 */
export const FOUND_WITHIN_MS = 90_000
