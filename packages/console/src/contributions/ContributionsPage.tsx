/** Inputs, outputs and destinations: the links that carry streams between hosts. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { PageHead } from '../shared/page/PageHead.tsx'
import { TablePage } from '../shared/list/TablePage.tsx'
import { Tabs } from '../ui/choice/Tabs.tsx'
import { inputTotalQuery, outputTotalQuery } from './contribution.queries.ts'
import classes from './ContributionsPage.module.css'
import { destinationTotalQuery } from './destinations/destination.queries.ts'
import { DestinationTable, DestinationTools } from './destinations/DestinationsTab.tsx'
import { InputTable, InputTools } from './inputs/InputsTab.tsx'
import {
  type OutputPlace,
  useDestinationFilter,
  useInputFilter,
  useOutputFilter,
} from './list/list-filter.hook.ts'
import { OutputTable, OutputTools } from './outputs/OutputsTab.tsx'

const TABS = ['inputs', 'outputs', 'destinations'] as const
type Tab = (typeof TABS)[number]

const PANEL_ID = 'contributions-panel'

export function ContributionsPage() {
  const [tab, setTab] = useTab()
  const inputs = useInputFilter(tab === 'inputs')
  const outputs = useOutputFilter(tab === 'outputs')
  const destinations = useDestinationFilter(tab === 'destinations')
  const counts = useCounts()
  const showOutputs = (only: Partial<OutputPlace>) => {
    const place = { input: '', destination: '', ...only }
    outputs.expect(place)
    setTab('outputs', place)
  }
  return (
    <TablePage>
      <PageHead
        title="Contributions"
        views={
          <Tabs
            label="Contributions"
            panelId={PANEL_ID}
            tabs={TABS.map((value) => ({ value, label: LABELS[value], count: counts[value] }))}
            value={tab}
            onChange={(next) => setTab(next, null)}
          />
        }
        tools={
          <>
            {tab === 'inputs' && <InputTools filter={inputs} />}
            {tab === 'outputs' && <OutputTools filter={outputs} />}
            {tab === 'destinations' && <DestinationTools filter={destinations} />}
          </>
        }
      />
      <div id={PANEL_ID} role="tabpanel" aria-label={LABELS[tab]} className={classes.panel}>
        {tab === 'inputs' && (
          <InputTable
            filter={inputs}
            onShowOutputs={(inputId) => showOutputs({ input: inputId })}
          />
        )}
        {tab === 'outputs' && <OutputTable filter={outputs} />}
        {tab === 'destinations' && (
          <DestinationTable
            filter={destinations}
            onShowOutputs={(destinationId) => showOutputs({ destination: destinationId })}
          />
        )}
      </div>
    </TablePage>
  )
}

const LABELS: Record<Tab, string> = {
  inputs: 'Inputs',
  outputs: 'Outputs',
  destinations: 'Destinations',
}

function useCounts(): Record<Tab, number | null> {
  const { data: inputs = null } = useQuery(inputTotalQuery())
  const { data: outputs = null } = useQuery(outputTotalQuery())
  const { data: destinations = null } = useQuery(destinationTotalQuery())
  return { inputs, outputs, destinations }
}

/**
 * The tab stands in the address, so that it can be linked to and survives a reload. What a list showed
 * when its tab was left is shown when it is opened again, unless `place` is asked for.
 */
function useTab() {
  const search: { tab?: unknown } = useSearch({ strict: false })
  const left = useRef<Partial<Record<Tab, object>>>({})
  const navigate = useNavigate()
  const tab = TABS.find((tab) => tab === search.tab) ?? 'inputs'
  // By its whole path: a notice may lead here from another page.
  const setTab = (next: Tab, place: OutputPlace | null) => {
    left.current[tab] = search
    const shown = place ?? left.current[next] ?? {}
    void navigate({
      to: '/dashboard/contribution',
      search: { ...shown, tab: next === 'inputs' ? undefined : next },
      replace: true,
    })
  }
  return [tab, setTab] as const
}
