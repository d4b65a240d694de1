/** Rows of what is planned for a group, a server or an object. */

export interface AlarmOverrideRow {
  id: string
  version: number
  created_at: string
  covers_kind: string
  covers_id: string
  rule: string
  /** JSON. */
  settings: string
}

export interface MaintenanceWindowRow {
  id: string
  version: number
  created_at: string
  title: string
  covers_kind: string
  covers_id: string
  /** JSON. */
  times: string
}
