/** For `in (...)`: an empty list is no SQL, and no id is ''. */
export function idList(ids: readonly string[]): readonly string[] {
  return ids.length > 0 ? ids : ['']
}
