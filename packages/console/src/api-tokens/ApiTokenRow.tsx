/** An API token: whose it is, what it may be used for, when it was used and when it expires. */
import type { API_TOKEN_SORTS } from '@trunkline/contract/users/api-token.calls'
import type { ApiToken } from '@trunkline/contract/users/api-token.schema'
import { SCOPE_NAMES } from '@trunkline/contract/users/token-scope.rules'
import { useApiNow } from '../lib/live/live-hooks.ts'
import { ROW_FOCUS } from '../lib/row-keys.ts'
import { agoText } from '../shared/activity/activity.rules.ts'
import type { SortValues } from '@trunkline/contract/search/sorted-rows.rules'
import { Button } from '../ui/button/Button.tsx'
import { ButtonsCell, CellLine, type Column, Row } from '../ui/table/Table.tsx'
import { useRevokeToken } from './api-token.actions.ts'
import { NEVER_USED } from './api-token.messages.ts'
import classes from './ApiTokens.module.css'
import { clockMomentText } from '../shared/format.ts'

export const TOKEN_COLUMNS: readonly Column[] = [
  { head: 'Title', stays: true, sort: 'title', width: [260, 200] },
  { head: 'Starts with', width: 110 },
  { head: 'Owner' },
  { head: 'Scope', sort: 'scope', width: [210, 190] },
  { head: 'Last used', sort: 'used', width: [220, 190] },
  { head: 'Expires', sort: 'expires', isOwnOrder: true, width: 120 },
  { head: 'Actions', width: 100, align: 'buttons' },
]

/** One's own are all in the browser. */
export const TOKEN_SORT_VALUES: SortValues<ApiToken, (typeof API_TOKEN_SORTS)[number]> = {
  title: ({ title }) => title,
  scope: ({ scope }) => scope,
  used: ({ usedAt }) => usedAt ?? '',
  expires: ({ expiresAt }) => expiresAt,
}

export function ApiTokenRow({ token }: { token: ApiToken }) {
  const revoke = useRevokeToken(token)
  const { title, start, scope, expiresAt, createdAt, createdBy } = token
  const owner = ownerText(token)
  return (
    <Row>
      <th scope="row" data-phone="1" title={`Made by ${createdBy}, ${createdAt.slice(0, 10)}`}>
        {title}
      </th>
      <td>
        <code>{start}…</code>
      </td>
      <td data-phone="2" title={owner}>
        {owner}
      </td>
      <td data-phone="3">{SCOPE_NAMES[scope]}</td>
      <td>
        <LastUse token={token} />
      </td>
      <td>
        <time dateTime={expiresAt} title={clockMomentText(Date.parse(expiresAt))}>
          {expiresAt.slice(0, 10)}
        </time>
      </td>
      <ButtonsCell>
        <Button
          {...ROW_FOCUS}
          size={28}
          aria-label={`Revoke ${title}`}
          onClick={() => void revoke()}
        >
          Revoke
        </Button>
      </ButtonsCell>
    </Row>
  )
}

function LastUse({ token: { usedAt, usedAddress } }: { token: ApiToken }) {
  const nowMs = useApiNow()
  if (usedAt === null) return <span className={classes.quiet}>{NEVER_USED}</span>
  return (
    <CellLine>
      <time dateTime={usedAt}>{agoText(nowMs - Date.parse(usedAt))}</time>
      <code className={classes.quiet}>{usedAddress}</code>
    </CellLine>
  )
}

function ownerText({ owner }: ApiToken): string {
  if (owner.kind === 'person') return `${owner.fullName}, ${owner.role}`
  const groups = owner.groups.map(({ title }) => title).join(', ')
  return groups === '' ? `Service, ${owner.role}` : `Service, ${owner.role} of ${groups}`
}
