/** How people have arranged their lists. */
export interface ListViewRow {
  user_id: string
  list: string
  /** JSON: headings. */
  hidden: string
  /** JSON: filters with their names. */
  saved: string
  version: number
}
