/** The hops of a path from the camera on, the first bad hop marked, its consequences folded under it. */
import { useState } from 'react'
import { Button } from '../ui/button/Button.tsx'
import { HopBox } from './HopBox.tsx'
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
  const { troubles } = path.verdict
  const folded = new Set(
    troubles.flatMap(({ first, consequences }) => (openKeys.has(first) ? [] : consequences)),
  )
  const quiet = new Set(troubles.flatMap(({ first }) => graph.allBehind(first)))
  const consequencesOf = (key: string) =>
    troubles.find(({ first }) => first === key)?.consequences.filter(isWanted) ?? []
  const isWanted = (key: string) => keys?.has(key) ?? true
  const stages = graph.stages
    .map((stage) => stage.filter((key) => isWanted(key) && !folded.has(key)))
    .filter((stage) => stage.length > 0)
  return (
    <ol className={classes.stages} data-layout={layout} aria-label={label}>
      {stages.map((stage) => (
        <li key={stage[0]} className={classes.stage}>
          {stage.map((key) => {
            const hop = hops.get(key)
            if (hop === undefined) return null
            return (
              <HopBox
                key={key}
                hop={hop}
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
