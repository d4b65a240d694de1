/** What each of the two ways of a RIST link carries, and what the second one saved. */
import type { LinkReading, PathReading } from '@trunkline/contract/fleet/reading.schema'
import { Age } from '../../shared/state/Age.tsx'
import { numberText, UNKNOWN } from '../../shared/format.ts'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { pathName } from './path.messages.ts'
import { pathSentence } from './path.rules.ts'
import { FigurePanel, FigureTable } from '../../programs/figures/FigurePanel.tsx'
import classes from './PathList.module.css'

export interface PathListProps {
  reading: LinkReading | null
}

/** Nothing for a link with one way. */
export function PathList({ reading }: PathListProps) {
  const paths = reading?.paths ?? []
  if (reading === null || paths.length === 0) return null
  const isSender = reading.direction === 'send'
  return (
    <FigurePanel label="Paths">
      <p
        className={classes.sentence}
        data-trouble={paths.some((path) => !path.isAlive) || undefined}
      >
        {pathSentence(paths)}
      </p>
      <FigureTable label="What each path carries">
        <thead>
          <tr>
            <th scope="col">Path</th>
            <th scope="col">State</th>
            <NumberHead name={isSender ? 'Sends' : 'Receives'} unit="kbit/s" />
            <NumberHead name="Packets" />
            <NumberHead name="RTT" unit="ms" />
            {isSender && <NumberHead name="Retransmitted" unit="packets" />}
            <NumberHead name="Recovered" unit="packets" />
          </tr>
        </thead>
        <tbody>
          {paths.map((path, index) => (
            <tr key={pathName(index)}>
              <th scope="row">
                {pathName(index)} <small>{path.address || UNKNOWN}</small>
              </th>
              <td>
                <PathState path={path} />
              </td>
              <td data-number>{numberText(path.isAlive ? path.bitrateKbps : null)}</td>
              <td data-number>{numberText(path.packets)}</td>
              <td data-number>{numberText(path.rttMs)}</td>
              {isSender && <td data-number>{numberText(path.retransmittedPackets)}</td>}
              <td data-number>{numberText(path.savedPackets)}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </FigurePanel>
  )
}

function NumberHead({ name, unit }: { name: string; unit?: string }) {
  return (
    <th scope="col" data-number>
      {name} {unit !== undefined && <small>{unit}</small>}
    </th>
  )
}

function PathState({ path: { isAlive, silentSinceMs } }: { path: PathReading }) {
  if (isAlive) {
    return (
      <span className={classes.state}>
        <Shape shape="disc" family="ok" size={12} /> alive
      </span>
    )
  }
  return (
    <span className={classes.state}>
      <Shape shape="half-disc" family="warn" size={12} />
      {silentSinceMs === null ? (
        'no answer yet'
      ) : (
        <>
          silent for <Age sinceMs={silentSinceMs} />
        </>
      )}
    </span>
  )
}
