/** The hops of a path from the camera on, the first bad hop marked, its consequences folded under it. */
import { type CSSProperties, useState } from 'react'
import { Button } from '../ui/button/Button.tsx'
import { HopBox, type HopFeeds } from './HopBox.tsx'
import { endsOf, joinsOf, lanesOf } from './path-lanes.rules.ts'
import { foldedText } from './path.messages.ts'
import type { LivePath } from './signal-path.hook.ts'
import classes from './SignalPath.module.css'

interface HopsProps {
  path: LivePath
  /** column: one below the other, as in a narrow detail; row: side by side where there is room. */
  layout: 'column' | 'row'
  /** With what is known of each hop as four facts; without them where the screen has little room. */
  hasFacts: boolean
  /** Only these; null for all. */
  keys: ReadonlySet<string> | null
  label: string
}

export function Hops({ path, layout, hasFacts, keys, label }: HopsProps) {
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set())
  const { hops, graph } = path
  const { troubles, waiting } = path.verdict
  // The object whose path it is stays in sight: it may run on another source.
  const mayFold = (key: string) => hops.get(key)?.side !== 'self'
  const folded = new Set(
    troubles.flatMap(({ first, consequences }) =>
      openKeys.has(first) ? [] : consequences.filter(mayFold),
    ),
  )
  const causes = [...troubles, ...waiting]
  const quiet = new Set(causes.flatMap(({ first }) => graph.allBehind(first)))
  const isWanted = (key: string) => keys?.has(key) ?? true
  const consequencesOf = (key: string) =>
    troubles
      .find(({ first }) => first === key)
      ?.consequences.filter((each) => isWanted(each) && mayFold(each)) ?? []
  const before = (key: string) => graph.before(key)
  const lanes = lanesOf(
    graph.stages.map((stage) => stage.filter(isWanted)),
    before,
  )
  const stages = graph.stages
    .map((stage) => stage.filter((key) => isWanted(key) && !folded.has(key)))
    .filter((stage) => stage.length > 0)
  return (
    <ol
      className={classes.stages}
      data-layout={layout}
      style={{ '--lanes': Math.max(0, ...lanes.values()) + 1 } as CSSProperties}
      aria-label={label}
    >
      {stages.map((stage) => (
        <li key={stage[0]} className={classes.stage}>
          {joinsOf(stage, before, lanes).map(({ first, last }) => (
            <i
              key={first}
              className={classes.join}
              style={{ gridRow: `${first + 1} / ${last + 1}` }}
            />
          ))}
          {endsOf(stage, before, lanes).map((lane) => (
            <i key={`end ${lane}`} className={classes.lineEnd} style={{ gridRow: lane + 1 }} />
          ))}
          {stage.map((key) => {
            const hop = hops.get(key)
            if (hop === undefined) return null
            return (
              <HopBox
                key={key}
                hop={hop}
                lane={lanes.get(key) ?? 0}
                feeds={feedsOf(graph.before(key).filter(isWanted), lanes, key)}
                hasFacts={hasFacts}
                isFirstBad={key === troubles[0]?.first}
                isQuiet={quiet.has(key)}
              >
                <FoldButton
                  count={consequencesOf(key).length}
                  isOpen={openKeys.has(key)}
                  onToggle={() => setOpenKeys(toggled(openKeys, key))}
                />
              </HopBox>
            )
          })}
        </li>
      ))}
    </ol>
  )
}

/** own: what feeds it stands right before it. */
function feedsOf(
  feeding: readonly string[],
  lanes: ReadonlyMap<string, number>,
  key: string,
): HopFeeds {
  if (feeding.length === 0) return 'none'
  return feeding.some((other) => lanes.get(other) === lanes.get(key)) ? 'own lane' : 'other lane'
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

interface FoldButtonProps {
  /** Of the hops that are folded under it. */
  count: number
  isOpen: boolean
  onToggle: () => void
}

function FoldButton({ count, isOpen, onToggle }: FoldButtonProps) {
  if (count === 0) return null
  return (
    <Button
      size={28}
      tone="quiet"
      icon={isOpen ? 'up' : 'down'}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {foldedText(count, isOpen)}
    </Button>
  )
}
