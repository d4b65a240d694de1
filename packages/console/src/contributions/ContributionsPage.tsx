/** Inputs, outputs and destinations: the links that carry streams between hosts. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHead } from '../shared/PageHead.tsx'
import { TablePage } from '../shared/TablePage.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { inputTotalQuery, outputTotalQuery } from './contribution.queries.ts'
import classes from './ContributionsPage.module.css'
import { InputTable, InputTools } from './InputsTab.tsx'
import { useInputFilter, useOutputFilter } from './list-filter.hook.ts'
import { OutputTable, OutputTools } from './OutputsTab.tsx'

const TABS = ['inputs', 'outputs', 'destinations'] as const
type Tab = (typeof TABS)[number]

const PANEL_ID = 'contributions-panel'

export function ContributionsPage() {
  const [tab, setTab] = useTab()
  const inputFilter = useInputFilter()
  const outputFilter = useOutputFilter()
  const { data: inputs = null } = useQuery(inputTotalQuery())
  const { data: outputs = null } = useQuery(outputTotalQuery())
  return (
    <TablePage>
      <PageHead
        title="Contributions"
        views={
          <Tabs
            label="Contributions"
            panelId={PANEL_ID}
            tabs={[
              { value: 'inputs', label: 'Inputs', count: inputs },
              { value: 'outputs', label: 'Outputs', count: outputs },
              { value: 'destinations', label: 'Destinations', count: null },
            ]}
            value={tab}
            onChange={setTab}
          />
        }
        tools={
          tab === 'destinations' ? undefined : tab === 'inputs' ? (
            <InputTools filter={inputFilter} />
          ) : (
            <OutputTools filter={outputFilter} />
          )
        }
      />
      <div id={PANEL_ID} role="tabpanel" aria-label={LABELS[tab]} className={classes.panel}>
        {tab === 'inputs' && <InputTable filter={inputFilter} />}
        {tab === 'outputs' && <OutputTable filter={outputFilter} />}
        {tab === 'destinations' && <Destinations />}
      </div>
    </TablePage>
  )
}

const LABELS: Record<Tab, string> = {
  inputs: 'Inputs',
  outputs: 'Outputs',
  destinations: 'Destinations',
}

function Destinations() {
  return (
    <p className={classes.later}>
      Here you will keep the far ends that your outputs send to, each with its address and its key,
      so that an output is given one by name.
    </p>
  )
}

/** The tab stands in the address, so that it can be linked to and survives a reload. */
function useTab() {
  const search: { tab?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tab = TABS.find((one) => one === search.tab) ?? 'inputs'
  const setTab = (next: Tab) =>
    void navigate({ to: '.', search: next === 'inputs' ? {} : { tab: next }, replace: true })
  return [tab, setTab] as const
}
