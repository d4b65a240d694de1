/** Of a stretch of the record of activity: the lines from `from_at` up to, but without, `to_at`. */
export interface RecordSealRow {
  from_at: string
  to_at: string
  lines: number
  /** The digest of the stretch before; '' of the first. */
  previous: string
  /** HMAC-SHA256 of all of this and of the lines, base64url. */
  digest: string
}
