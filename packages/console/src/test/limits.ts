/** Found within it or not at all; a busy machine takes seconds where a free one takes none. */
export const FOUND_WITHIN_MS = 20_000
