/** A call in a line; opens to its right, its fields and its answers. */
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
} from '@trunkline/contract/open-api/open-api.schema'
import { ROLES } from '@trunkline/contract/roles'
import { Fragment, useId, useState } from 'react'
import { RowExpander } from '../shared/list/RowExpander.tsx'
import { Tag } from '../ui/symbol/Tag.tsx'
import { CellLine, type Column, ControlCell, DetailRow, Row } from '../ui/table/Table.tsx'
import type { ApiCall } from './api-call.rules.ts'
import { ALL_ROLES, ANYONE, TOKEN_SCOPE_WORDS } from './api-reference.messages.ts'
import { fieldsOf, type SchemaField } from './schema-field.rules.ts'
import classes from './ApiReference.module.css'

export const CALL_COLUMNS: readonly Column[] = [
  { head: 'Expand', isHeadHidden: true, width: 50 },
  { head: 'Method', sort: 'method', width: 80 },
  { head: 'Path', sort: 'path', width: [440, 340] },
  { head: 'What it does', sort: 'summary' },
  { head: 'Roles', sort: 'roles', width: [260, 200] },
]

export const CALL_SORT_VALUES = {
  method: ({ method }: ApiCall) => method,
  path: ({ path }: ApiCall) => path,
  summary: ({ operation }: ApiCall) => operation.summary,
  /** Those of the fewest roles first; anybody calls those that name none. */
  roles: ({ operation: { 'x-roles': roles } }: ApiCall) => roles.length || ROLES.length + 1,
}

type Failures = OpenApiDocument['components']['responses']

interface ApiCallRowProps {
  call: ApiCall
  /** By name, such as 'Failure404'. */
  failures: Failures
}

export function ApiCallRow({ call, failures }: ApiCallRowProps) {
  const [isOpen, setOpen] = useState(false)
  const detailId = useId()
  const { method, path, operation } = call
  return (
    <Fragment>
      <Row isOpen={isOpen}>
        <ControlCell>
          <RowExpander
            of={`${method} ${path}`}
            isOpen={isOpen}
            detailId={detailId}
            onChange={setOpen}
          />
        </ControlCell>
        <td data-phone="2-left">
          <code>{method}</code>
        </td>
        <td data-phone="3" title={path}>
          <CellLine>
            <code className={classes.path}>{path}</code>
            {operation.deprecated === true && <Tag>deprecated</Tag>}
          </CellLine>
        </td>
        <th scope="row" data-phone="1" title={operation.summary}>
          {operation.summary}
        </th>
        <td data-phone="2-right" title={rolesText(operation)}>
          {rolesText(operation)}
        </td>
      </Row>
      {isOpen && (
        <DetailRow id={detailId} columns={CALL_COLUMNS.length}>
          <CallDetail operation={operation} failures={failures} />
        </DetailRow>
      )}
    </Fragment>
  )
}

function rolesText({ 'x-roles': roles }: OpenApiOperation): string {
  if (roles.length === 0) return ANYONE
  return roles.length === ROLES.length ? ALL_ROLES : roles.join(', ')
}

function CallDetail({ operation, failures }: { operation: OpenApiOperation; failures: Failures }) {
  const { operationId, description, parameters, requestBody, responses } = operation
  const given = parameters.flatMap(({ name, in: place, required, schema }) =>
    fieldsOf(schema, `${name} (${place})`, required),
  )
  const body = jsonIn(requestBody?.content)
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const answer = jsonIn(done?.[1].content)
  return (
    <div className={classes.detail}>
      <p>
        <code>{operationId}</code> {description.replaceAll('`', '')}{' '}
        {TOKEN_SCOPE_WORDS[operation['x-token-scope']]}
      </p>
      {given.length > 0 && <FieldTable label="Parameters" fields={given} />}
      {body !== null && <FieldTable label="Body" fields={fieldsOf(body.schema)} />}
      {body !== null && <Example label="Example of a body" value={body.example} />}
      {answer !== null && (
        <FieldTable label={`Answer, ${done?.[0]}`} fields={fieldsOf(answer.schema)} />
      )}
      {answer !== null && <Example label="Example of an answer" value={answer.example} />}
      <FailureTable statuses={Object.keys(responses)} failures={failures} />
    </div>
  )
}

interface Json {
  schema: JsonSchema
  example?: unknown
}

function jsonIn(content: Readonly<Record<string, Json>> | undefined): Json | null {
  return Object.values(content ?? {})[0] ?? null
}

/** Nothing where there is none. */
function Example({ label, value }: { label: string; value: unknown }) {
  if (value === undefined) return null
  return (
    <figure className={classes.example}>
      <figcaption>{label}</figcaption>
      <pre role="region" aria-label={label} tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </figure>
  )
}

function FieldTable({ label, fields }: { label: string; fields: readonly SchemaField[] }) {
  return (
    <table aria-label={label}>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Limits</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, isRequired, limits }, index) => (
          // Alternatives of an object may have a field of the same name.
          <tr key={`${name} ${index}`}>
            <th scope="row">
              <code>{name === '' ? 'the value' : name}</code>
              {isRequired ? '' : ' (optional)'}
            </th>
            <td>{type}</td>
            <td>{limits}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function FailureTable({ statuses, failures }: { statuses: string[]; failures: Failures }) {
  const listed = statuses.filter((status) => failures[`Failure${status}`] !== undefined)
  return (
    <table aria-label="Failures">
      <caption>Failures</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Codes and when</th>
        </tr>
      </thead>
      <tbody>
        {listed.map((status) => (
          <tr key={status}>
            <th scope="row">{status}</th>
            <td colSpan={2}>{failures[`Failure${status}`]?.description?.replaceAll('`', '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
