/**
 * Keeps what viewers of one stream are given: follows the folder of the current input's packager
 * and adds each segment that it lists to the stream's own playlist.
 */
import { mkdirSync, watch, type FSWatcher } from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import { statOf } from '../../host/files.ts'
import { readPackager, stampOf } from './packager-folder.ts'
import {
  isRowThere,
  playlistNames,
  readTimeline,
  writeTimeline,
  type TimelineShape,
} from './timeline-files.ts'
import {
  append,
  cleared,
  emptyWindow,
  keepLast,
  nextOf,
  withoutLost,
  withTarget,
  type Window,
} from './timeline.rules.ts'

export class Timeline {
  readonly #folder: string
  readonly #log: Logger
  #window: Window
  #shape: TimelineShape
  /** The current packager's folder in ours; '' before there is one. */
  #source = ''
  #listedBefore: number | null = null
  #watched: { watcher: FSWatcher; inode: number } | null = null
  /** What the packager's and our own playlists were like after the last look. */
  #stamp = ''
  #isWritten = true
  #isFailing = false
  /** The folder could not be watched. */
  #isBlind = false

  /** Goes on from what lies in `folder`. */
  constructor(folder: string, shape: TimelineShape, log: Logger, nowMs: number) {
    this.#folder = folder
    this.#shape = shape
    this.#log = log
    const known = readTimeline(folder, shape.renditions.length)
    this.#window = known ?? withTarget(emptyWindow(nowMs), shape.targetS)
  }

  get window(): Window {
    return this.#window
  }

  /** Shows what this packager makes from now on, and at once what it has made while it stood by. */
  follow(source: string, shape: TimelineShape): void {
    const hasOtherRenditions = shape.renditions.length !== this.#shape.renditions.length
    if (hasOtherRenditions) this.clear()
    if (shape.targetS !== this.#shape.targetS) {
      this.#window = withTarget(this.#window, shape.targetS)
    }
    this.#shape = shape
    if (source !== this.#source) {
      this.#source = source
      this.#listedBefore = this.#list().at(-1)?.number ?? null
    }
    this.look()
  }

  /** Nothing stays to be played. */
  clear(): void {
    this.#window = cleared(this.#window)
    this.#attempt(() => writeTimeline(this.#folder, this.#window, this.#shape))
    this.#unwatch()
    this.#source = ''
  }

  close(): void {
    this.#unwatch()
  }

  /** The safety net: costs some looks at files, and reads none that is as it was. */
  lookAgain(): void {
    if (this.#source === '') return
    const isAsItWas = this.#stamp === `${this.#packagerStamp()} ${this.#ownStamp()}`
    if (!isAsItWas || !this.#isWritten || this.#watched === null) this.look()
  }

  look(): void {
    if (this.#source === '') return
    this.#attempt(() => {
      this.#watch()
      const packager = this.#packagerStamp()
      const next = nextOf(this.#window, this.#source, this.#list(), this.#listedBefore)
      const grown = keepLast(append(this.#window, this.#source, next), this.#shape.rows)
      this.#window = withoutLost(grown, (row) => isRowThere(this.#folder, row))
      this.#isWritten &&= next.length === 0 && this.#stamp === `${packager} ${this.#ownStamp()}`
      if (!this.#isWritten) writeTimeline(this.#folder, this.#window, this.#shape)
      this.#isWritten = true
      this.#stamp = `${packager} ${this.#ownStamp()}`
    })
  }

  #list() {
    return readPackager(join(this.#folder, this.#source), this.#shape.renditions.length)
  }

  #packagerStamp(): string {
    const folder = join(this.#folder, this.#source)
    return `${inodeOf(folder)} ${stampOf(folder, this.#shape.renditions.length)}`
  }

  /** Somebody may have removed or spoilt our own playlists. */
  #ownStamp(): string {
    return stampOf(this.#folder, this.#shape.renditions.length)
  }

  /** A full disk is logged once; what could not be written is written later. */
  #attempt(task: () => void): void {
    try {
      task()
      if (this.#isFailing) this.#log.info({ folder: this.#folder }, 'playlists are written again')
      this.#isFailing = false
    } catch (error) {
      this.#isWritten = false
      if (!this.#isFailing) {
        const reason = String(error)
        this.#log.error({ folder: this.#folder, reason }, 'a playlist cannot be written')
      }
      this.#isFailing = true
    }
  }

  /** Of the packager's folder; one that somebody removed is made again. */
  #watch(): void {
    const folder = join(this.#folder, this.#source)
    if (this.#watched !== null && this.#watched.inode === inodeOf(folder)) return
    this.#unwatch()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    try {
      this.#watched = { watcher: this.#watcherOf(folder), inode: inodeOf(folder) }
      this.#isBlind = false
    } catch (error) {
      // A host has so many watches and no more; the slow look goes on without one.
      const reason = String(error)
      if (!this.#isBlind) this.#log.warn({ folder, reason }, 'a folder cannot be watched')
      this.#isBlind = true
    }
  }

  #watcherOf(folder: string): FSWatcher {
    const lists = playlistNames(this.#shape.renditions.length)
    const watcher = watch(folder, (_event, name) => {
      // Its own name stands for the folder itself: it is gone.
      if (name === basename(folder)) this.#unwatch()
      else if (name !== null && lists.includes(name)) this.look()
    })
    return watcher.on('error', () => this.#unwatch())
  }

  #unwatch(): void {
    this.#watched?.watcher.close()
    this.#watched = null
  }
}

function inodeOf(path: string): number {
  return statOf(path)?.ino ?? 0
}
