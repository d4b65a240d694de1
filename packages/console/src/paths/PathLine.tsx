/** A whole path on a line: its hops from the camera on, each with its state. */
import { Hidden } from '../ui/Hidden.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { familyOf, stageOf } from './path-line.rules.ts'
import { HEALTH_SHAPES, HEALTH_WORDS, HIDDEN_WORDS, KIND_WORDS, moreText } from './path.messages.ts'
import type { LiveHop, LivePath } from './signal-path.hook.ts'
import classes from './PathLine.module.css'

export function PathLine({ path, label }: { path: LivePath; label: string }) {
  const { hops, graph, verdict } = path
  const first = verdict.troubles[0]?.first
  return (
    <ol className={classes.line} aria-label={label}>
      {graph.stages.map((keys) => {
        const stage = stageOf(keys.flatMap((key) => hops.get(key) ?? []))
        return (
          <li key={keys[0]} className={classes.stage}>
            {stage.shown.map((hop) => (
              <HopMark key={hop.key} hop={hop} isFirstBad={hop.key === first} />
            ))}
            {stage.more > 0 && (
              <span className={classes.more}>
                <Shape
                  shape={HEALTH_SHAPES[stage.moreFamily]}
                  family={stage.moreFamily}
                  size={10}
                />
                {moreText(stage.more)}
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function HopMark({ hop, isFirstBad }: { hop: LiveHop; isFirstBad: boolean }) {
  const family = familyOf(hop)
  const { title, words } = wordsOf(hop)
  return (
    <span
      className={classes.hop}
      data-f={family}
      data-bad={isFirstBad || undefined}
      title={`${title}: ${words}`}
    >
      <Shape
        shape={hop.isShown ? hop.state.shape : HEALTH_SHAPES[hop.family]}
        family={family}
        size={12}
      />
      <span className={classes.title}>{hop.isShown ? hop.title : title}</span>
      <Hidden>: {words}</Hidden>
    </span>
  )
}

function wordsOf(hop: LiveHop): { title: string; words: string } {
  if (!hop.isShown) return { title: HIDDEN_WORDS[hop.why], words: HEALTH_WORDS[hop.family] }
  const { word, cause } = hop.state
  const place = hop.server === '' ? '' : ` on ${hop.server}`
  return {
    title: `${KIND_WORDS[hop.kind]} ${hop.title}${place}`,
    words: cause === '' ? word : `${word}, ${cause}`,
  }
}
