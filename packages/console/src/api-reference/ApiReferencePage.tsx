/** Every call of the API, for who writes a client: searched, and opened to its fields and answers. */
import { useQuery } from '@tanstack/react-query'
import type { OpenApiDocument } from '@trunkline/contract/open-api/open-api.schema'
import { useMemo, useState } from 'react'
import { saveTextFile } from '../lib/save-file.ts'
import { NotYet } from '../shared/list/ListState.tsx'
import { SearchBar } from '../shared/list/SearchBar.tsx'
import { useSortedPage } from '../shared/list/sorted-rows.hook.ts'
import { TablePage } from '../shared/list/TablePage.tsx'
import { ButtonLink } from '../shared/page/ButtonLink.tsx'
import { PageHead } from '../shared/page/PageHead.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Select } from '../ui/choice/Select.tsx'
import { Empty } from '../ui/notice/Notice.tsx'
import { TableFrame } from '../ui/table/Table.tsx'
import { callsIn, featuresOf, matching } from './api-call.rules.ts'
import { API_REFERENCE, REFERENCE_FAILED } from './api-reference.messages.ts'
import { apiQuery } from './api-reference.queries.ts'
import { ApiCallRow, CALL_COLUMNS, CALL_SORT_VALUES } from './ApiCallRow.tsx'
import classes from './ApiReference.module.css'

const ROW_HEIGHT = 36
const SORTED = { table: 'apiCalls', values: CALL_SORT_VALUES } as const

/** The head is one from the start: who waits on its link for the calls stays there when they come. */
export function ApiReferencePage() {
  const answer = useQuery(apiQuery)
  const document = answer.data
  const [search, setSearch] = useState('')
  const [searchKey, setSearchKey] = useState(0)
  const [feature, setFeature] = useState('')
  const calls = useMemo(() => (document === undefined ? [] : callsIn(document)), [document])
  const shown = useMemo(() => matching(calls, search, feature), [calls, search, feature])
  const clear = () => {
    setSearch('')
    setFeature('')
    setSearchKey(searchKey + 1)
  }
  return (
    <TablePage>
      <PageHead
        title={API_REFERENCE}
        tools={
          <>
            {document !== undefined && (
              <>
                <SearchBar key={searchKey} label="Search calls" onSearch={setSearch} />
                <Select
                  label="Feature"
                  isLabelShown
                  choices={[
                    { value: '', label: 'All' },
                    ...featuresOf(calls).map((value) => ({ value, label: value })),
                  ]}
                  value={feature}
                  onChange={setFeature}
                />
              </>
            )}
            <BackToAccess />
            {document !== undefined && (
              <Button onClick={() => save(document)}>Save openapi.json</Button>
            )}
          </>
        }
      />
      {document === undefined ? (
        <NotYet answer={answer} rowHeight={ROW_HEIGHT} failedText={REFERENCE_FAILED} />
      ) : (
        <Calls document={document} shown={shown} onClear={clear} />
      )}
    </TablePage>
  )
}

interface CallsProps {
  document: OpenApiDocument
  shown: ReturnType<typeof callsIn>
  onClear: () => void
}

function Calls({ document, shown, onClear }: CallsProps) {
  const { sorting, sorted } = useSortedPage(SORTED)
  return (
    <>
      <p className={classes.intro}>{document.info.description.replaceAll('`', '')}</p>
      {shown.length === 0 ? (
        <div className={classes.place}>
          <Empty
            title="No call matches this search"
            action={<Button onClick={onClear}>Clear</Button>}
          />
        </div>
      ) : (
        <TableFrame
          label={`Calls of version ${document.info.version}`}
          columns={CALL_COLUMNS}
          rowHeight={ROW_HEIGHT}
          sorting={sorting}
        >
          <tbody>
            {sorted(shown).map((call) => (
              <ApiCallRow
                key={call.operation.operationId}
                call={call}
                failures={document.components.responses}
              />
            ))}
          </tbody>
        </TableFrame>
      )}
    </>
  )
}

function save(document: OpenApiDocument): void {
  saveTextFile('openapi.json', 'application/json', JSON.stringify(document, null, 2))
}

function BackToAccess() {
  return (
    <ButtonLink to="/dashboard/userManager" search={{}} preload={false}>
      Access
    </ButtonLink>
  )
}
