"""The engine's methods, made of core/protocol/methods by GeneratedFilesTest. Their results are described in core/engine/PROTOCOL.md."""


class Methods:
    """A method of the engine each; what is None is left to the engine. A subclass has call(method, **params)."""

    def _ask(self, method, params):
        return self.call(method, **{name: value for name, value in params.items() if value is not None})

    def initialize(self, *, version):
        """`initialize`.

        version: 1.
        """
        return self._ask("initialize", {"version": version})

    def document_open(self, *, path, expendable=None):
        """`document/open`.

        path: a module, a pass-by-pass log, or a directory of dumps; which, goes by the content (file: read).
        expendable: this engine may die of the file, and the client then asks a new one without this: the file is not tried in a copy of the engine first.
        """
        return self._ask("document/open", {"path": path, "expendable": expendable})

    def tool_list(self):
        """`tool/list`."""
        return self._ask("tool/list", {})

    def tool_start(self, *, path, command):
        """`tool/start`.

        path: stands in the command where `{}` is, else at its end (file: read).
        command: as typed, split by a shell's quotes; no shell runs.
        """
        return self._ask("tool/start", {"path": path, "command": command})

    def tool_poll(self):
        """`tool/poll`."""
        return self._ask("tool/poll", {})

    def tool_stop(self):
        """`tool/stop`."""
        return self._ask("tool/stop", {})

    def plugin_list(self):
        """`plugin/list`."""
        return self._ask("plugin/list", {})

    def pipeline_list(self):
        """`pipeline/list`."""
        return self._ask("pipeline/list", {})

    def pipeline_record(self, *, pipeline=None, schedule=None, libraries=None, entry=None, arguments=None, target=None, device=None, tuned=None, limit=None, from_=None):
        """`pipeline/record`.

        schedule: (file: read).
        libraries: (file: read).
        target: of the default pipeline: "spirv" (default) or "ptx".
        device: instead of `target`, one that need not be here, as of kernel/code (file, unless it is an id: read).
        tuned: the tuning library, as of run/start (file: read).
        limit: stop before step number `limit` (how a client gets back to the last good step after a crash).
        from_: a snapshot of the log that is open, as numbered when it was opened, to record from (else where the last recording began, at first snapshot 0).
        """
        return self._ask("pipeline/record", {"pipeline": pipeline, "schedule": schedule, "libraries": libraries, "entry": entry, "arguments": arguments, "target": target, "device": device, "tuned": tuned, "limit": limit, "from": from_})

    def text_lines(self, *, snapshot, first, count):
        """`text/lines`."""
        return self._ask("text/lines", {"snapshot": snapshot, "first": first, "count": count})

    def text_find(self, *, snapshot, pattern, first=None, count=None):
        """`text/find`.

        pattern: an ECMAScript regular expression.
        count: matches from number `first` on (default: 1000).
        """
        return self._ask("text/find", {"snapshot": snapshot, "pattern": pattern, "first": first, "count": count})

    def text_op_at(self, *, snapshot, line):
        """`text/opAt`."""
        return self._ask("text/opAt", {"snapshot": snapshot, "line": line})

    def text_uses(self, *, snapshot, line, column):
        """`text/uses`."""
        return self._ask("text/uses", {"snapshot": snapshot, "line": line, "column": column})

    def text_source(self, *, snapshot, first, count):
        """`text/source`."""
        return self._ask("text/source", {"snapshot": snapshot, "first": first, "count": count})

    def text_source_find(self, *, snapshot, pattern, first=None, count=None):
        """`text/sourceFind`.

        pattern: an ECMAScript regular expression.
        count: matches from number `first` on (default: 1000).
        """
        return self._ask("text/sourceFind", {"snapshot": snapshot, "pattern": pattern, "first": first, "count": count})

    def text_source_uses(self, *, snapshot, line, column):
        """`text/sourceUses`."""
        return self._ask("text/sourceUses", {"snapshot": snapshot, "line": line, "column": column})

    def text_op_from(self, *, snapshot, line):
        """`text/opFrom`.

        line: a row of text/source.
        """
        return self._ask("text/opFrom", {"snapshot": snapshot, "line": line})

    def text_source_of(self, *, snapshot, line):
        """`text/sourceOf`.

        line: a line of text/lines.
        """
        return self._ask("text/sourceOf", {"snapshot": snapshot, "line": line})

    def text_save(self, *, snapshot, path, locations=None):
        """`text/save`.

        path: (file: written).
        """
        return self._ask("text/save", {"snapshot": snapshot, "path": path, "locations": locations})

    def snapshot_read(self, *, snapshot):
        """`snapshot/read`."""
        return self._ask("snapshot/read", {"snapshot": snapshot})

    def graph_scene(self, *, snapshot, level=None, layout=None, fold_constants=None, repeats=None, collapsed=None, expanded=None, ports_of=None, open=None, function=None, ids_of=None, packed=None):
        """`graph/scene`.

        level: "ops" (default) or "dispatches".
        layout: "layered" (default) or "dot".
        fold_constants: default: true.
        repeats: "auto" (default), "collapse" or "expand".
        expanded: as `collapsed` ids in snapshot `ids_of`; of another one than `snapshot`, the clusters that are called so there are meant, and the reply names them.
        ports_of: ops whose weights and constants are nodes all the same.
        open: every box is open.
        ids_of: default: `snapshot`.
        packed: see below.
        """
        return self._ask("graph/scene", {"snapshot": snapshot, "level": level, "layout": layout, "foldConstants": fold_constants, "repeats": repeats, "collapsed": collapsed, "expanded": expanded, "ports_of": ports_of, "open": open, "function": function, "ids_of": ids_of, "packed": packed})

    def graph_export(self, *, snapshot, path, level=None, layout=None, fold_constants=None, repeats=None, collapsed=None, expanded=None, ports_of=None, open=None, function=None, ids_of=None, verdicts=None, policy=None, write=None, theme=None, pages=None, region=None):
        """`graph/export`.

        path: (file: written).
        level: "ops" (default) or "dispatches".
        layout: "layered" (default) or "dot".
        fold_constants: default: true.
        repeats: "auto" (default), "collapse" or "expand".
        expanded: as `collapsed` ids in snapshot `ids_of`; of another one than `snapshot`, the clusters that are called so there are meant, and the reply names them.
        ports_of: ops whose weights and constants are nodes all the same.
        open: every box is open.
        ids_of: default: `snapshot`.
        verdicts: edges look by the verdict of `policy` (default: true), with a legend.
        policy: as of fusion/report.
        write: false: nothing is written.
        theme: "light" (default) or "dark".
        pages: of a pdf: "one" (default) as large as the picture, "a4" or "a3" sheets.
        region: `[x, y, w, h]`: what is in there of the scene, in whole px.
        """
        return self._ask("graph/export", {"snapshot": snapshot, "path": path, "level": level, "layout": layout, "foldConstants": fold_constants, "repeats": repeats, "collapsed": collapsed, "expanded": expanded, "ports_of": ports_of, "open": open, "function": function, "ids_of": ids_of, "verdicts": verdicts, "policy": policy, "write": write, "theme": theme, "pages": pages, "region": region})

    def graph_outline(self, *, snapshot, policy=None, judge=None):
        """`graph/outline`.

        judge: false: nothing is `missed` (default: true).
        """
        return self._ask("graph/outline", {"snapshot": snapshot, "policy": policy, "judge": judge})

    def notes_load(self):
        """`notes/load`."""
        return self._ask("notes/load", {})

    def notes_save(self, *, notes=None, document=None):
        """`notes/save`.

        notes: all there are.
        document: its path, and an error where another one is open.
        """
        return self._ask("notes/save", {"notes": notes, "document": document})

    def notes_anchor(self, *, snapshot, id=None, producer=None, operand=None):
        """`notes/anchor`.

        id: a node of the graph; without it, the step that led to the snapshot.
        producer: the edge from this node to `id`.
        """
        return self._ask("notes/anchor", {"snapshot": snapshot, "id": id, "producer": producer, "operand": operand})

    def notes_resolve(self, *, snapshot, notes=None):
        """`notes/resolve`."""
        return self._ask("notes/resolve", {"snapshot": snapshot, "notes": notes})

    def notes_bug_report(self, *, id, snapshot, producer=None, reason=None, policy=None):
        """`notes/bugReport`.

        reason: in words.
        """
        return self._ask("notes/bugReport", {"id": id, "snapshot": snapshot, "producer": producer, "reason": reason, "policy": policy})

    def remarks_read(self, *, path, snapshot):
        """`remarks/read`.

        path: a file of remarks, YAML or bitstream (file: read).
        snapshot: whose ops the remarks are placed on.
        """
        return self._ask("remarks/read", {"path": path, "snapshot": snapshot})

    def mesh_report(self, *, snapshot):
        """`mesh/report`.

        snapshot: whose meshes, values and collectives are reported.
        """
        return self._ask("mesh/report", {"snapshot": snapshot})

    def op_details(self, *, snapshot, id):
        """`op/details`.

        id: an op, or a part of the model, by its cluster.
        """
        return self._ask("op/details", {"snapshot": snapshot, "id": id})

    def snapshot_counts(self, *, snapshot):
        """`snapshot/counts`."""
        return self._ask("snapshot/counts", {"snapshot": snapshot})

    def search_prepare(self, *, snapshot):
        """`search/prepare`."""
        return self._ask("search/prepare", {"snapshot": snapshot})

    def search_find(self, *, snapshot, text, kinds=None, limit=None):
        """`search/find`.

        kinds: some of "symbol", "weight", "op", "value" and "location" (default: all).
        limit: hits of each of them (default: 50).
        """
        return self._ask("search/find", {"snapshot": snapshot, "text": text, "kinds": kinds, "limit": limit})

    def search_history(self, *, text=None, name=None, op=None, dispatch=None, snapshot=None, rewrites=None):
        """`search/history`.

        text: lines with it.
        name: the same as a whole word, of a value (`%q`) where it is defined.
        op: by where it comes from, in logs without locations by its line.
        dispatch: all ops of the dispatches with this in their names, by where they come from, in `snapshot`, in the input and after the last step.
        snapshot: goes with `op` and `dispatch`.
        rewrites: of an op: also the rewrites within each step, which then runs once more if they are not known.
        """
        return self._ask("search/history", {"text": text, "name": name, "op": op, "dispatch": dispatch, "snapshot": snapshot, "rewrites": rewrites})

    def step_diff(self, *, before=None, after=None, step=None):
        """`step/diff`.

        after: a snapshot, as `before`, instead of `step`.
        """
        return self._ask("step/diff", {"before": before, "after": after, "step": step})

    def step_graph_diff(self, *, before=None, after=None, step=None):
        """`step/graphDiff`.

        after: a snapshot, as `before`, instead of `step`.
        """
        return self._ask("step/graphDiff", {"before": before, "after": after, "step": step})

    def step_export(self, *, path, format=None):
        """`step/export`.

        path: (file: written).
        format: "html" (default), "json" or "text".
        """
        return self._ask("step/export", {"path": path, "format": format})

    def step_reproducer(self, *, step, path, pipeline=None):
        """`step/reproducer`.

        path: (file: written).
        pipeline: with it, `step` may be the number of steps: the last snapshot with that pipeline (the step that crashed).
        """
        return self._ask("step/reproducer", {"step": step, "path": path, "pipeline": pipeline})

    def step_rewrites(self, *, step):
        """`step/rewrites`."""
        return self._ask("step/rewrites", {"step": step})

    def step_rewrite(self, *, step, rewrite):
        """`step/rewrite`."""
        return self._ask("step/rewrite", {"step": step, "rewrite": rewrite})

    def step_without(self, *, step, rewrite, whole_pattern=None):
        """`step/without`.

        whole_pattern: nowhere, instead of not on this op.
        """
        return self._ask("step/without", {"step": step, "rewrite": rewrite, "whole_pattern": whole_pattern})

    def step_tried(self, *, step, op, after=None):
        """`step/tried`.

        after: the op is one of the snapshot after the step.
        """
        return self._ask("step/tried", {"step": step, "op": op, "after": after})

    def step_blame(self, *, again=None, pipeline=None, schedule=None, target=None, function=None, sizes=None, inputs=None, draws=None, seconds=None):
        """`step/blame`.

        again: record `pipeline` or `schedule` once more in a copy of the engine, and find where it dies.
        schedule: (file: read).
        target: as of pipeline/record.
        function: as of run/start, with `sizes` and `inputs`.
        inputs: (files after "@": read).
        draws: inputs to try.
        seconds: of processor time, for `again`.
        """
        return self._ask("step/blame", {"again": again, "pipeline": pipeline, "schedule": schedule, "target": target, "function": function, "sizes": sizes, "inputs": inputs, "draws": draws, "seconds": seconds})

    def step_stop(self, *, breakpoints, step, rewrite=None, backwards=None):
        """`step/stop`.

        rewrite: of that step, and passed over; left out: the search begins with all of it.
        """
        return self._ask("step/stop", {"breakpoints": breakpoints, "step": step, "rewrite": rewrite, "backwards": backwards})

    def op_patterns(self, *, snapshot, op, passes=None):
        """`op/patterns`.

        passes: whose patterns are tried.
        """
        return self._ask("op/patterns", {"snapshot": snapshot, "op": op, "passes": passes})

    def fusion_report(self, *, snapshot, policy=None, gbps=None, prove=None):
        """`fusion/report`.

        policy: "aggressive" (default), "conservative" or "none", with changes in braces.
        gbps: of the device's memory, for what fusions save.
        prove: false: no unlocks are tried (default: true).
        """
        return self._ask("fusion/report", {"snapshot": snapshot, "policy": policy, "gbps": gbps, "prove": prove})

    def fusion_decided(self, *, snapshot, from_, to=None, policy=None):
        """`fusion/decided`.

        to: as `from` the call of a dispatch.
        """
        return self._ask("fusion/decided", {"snapshot": snapshot, "from": from_, "to": to, "policy": policy})

    def fusion_bandwidth(self, *, device):
        """`fusion/bandwidth`.

        device: (file, unless it is an id: read).
        """
        return self._ask("fusion/bandwidth", {"device": device})

    def fusion_cost(self, *, snapshot, policy=None, device=None, function=None, sizes=None):
        """`fusion/cost`.

        device: times are predicted for it (default: none, by assumptions) (file, unless it is an id: read).
        function: whose launches are counted, as of run/start.
        sizes: as of run/start.
        """
        return self._ask("fusion/cost", {"snapshot": snapshot, "policy": policy, "device": device, "function": function, "sizes": sizes})

    def fusion_fuse(self, *, snapshot, from_=None, to=None, operand=None, only_there=None, all=None, clean_up=None, pipeline=None, device=None, policy=None, check=None, sizes=None, inputs=None):
        """`fusion/fuse`.

        to: an edge, with `from`.
        only_there: with an edge: no other op changes, of equal ones neither.
        all: instead of an edge: all that pays.
        clean_up: instead: what makes the module simpler.
        pipeline: instead: this.
        device: goes with `all` and `cleanUp`: where it is measured what pays (file, unless it is an id: read).
        check: "quick" (default: host runs that take seconds), "always" or "never".
        inputs: as `sizes` as of run/start (files after "@": read).
        """
        return self._ask("fusion/fuse", {"snapshot": snapshot, "from": from_, "to": to, "operand": operand, "onlyThere": only_there, "all": all, "cleanUp": clean_up, "pipeline": pipeline, "device": device, "policy": policy, "check": check, "sizes": sizes, "inputs": inputs})

    def fusion_undo(self):
        """`fusion/undo`."""
        return self._ask("fusion/undo", {})

    def fusion_redo(self):
        """`fusion/redo`."""
        return self._ask("fusion/redo", {})

    def fusion_save(self, *, path, format=None):
        """`fusion/save`.

        path: (file: written).
        format: "pipeline" (default) or "transform".
        """
        return self._ask("fusion/save", {"path": path, "format": format})

    def fusion_help(self, *, reason=None):
        """`fusion/help`."""
        return self._ask("fusion/help", {"reason": reason})

    def buffers_report(self, *, snapshot, function=None, sizes=None, sized_function=None, keep_empty=None, peaks_only=None):
        """`buffers/report`.

        sizes: of dynamic dimensions of the arguments of `sizedFunction`; what it has no dimension for is passed over, and what follows for functions that it calls.
        sized_function: default: `function`, or the first public one.
        """
        return self._ask("buffers/report", {"snapshot": snapshot, "function": function, "sizes": sizes, "sizedFunction": sized_function, "keepEmpty": keep_empty, "peaksOnly": peaks_only})

    def buffers_help(self, *, reason=None):
        """`buffers/help`."""
        return self._ask("buffers/help", {"reason": reason})

    def compare_with(self, *, snapshot, other=None, at=None, path=None, tool=None, fuse_all=None):
        """`compare/with`.

        other: B: a snapshot.
        at: a step of the log (default: the last with dispatches).
        path: B: a module or a log (file: read).
        tool: B: a command as of tool/start, whose log it is.
        fuse_all: what has no dispatches is fused first, all that pays.
        """
        return self._ask("compare/with", {"snapshot": snapshot, "other": other, "at": at, "path": path, "tool": tool, "fuseAll": fuse_all})

    def devices_list(self):
        """`devices/list`."""
        return self._ask("devices/list", {})

    def devices_models(self, *, here=None):
        """`devices/models`.

        here: false: without those that are here, and without asking any driver.
        """
        return self._ask("devices/models", {"here": here})

    def run_start(self, *, snapshot=None, device=None, repeat=None, warmup=None, seed=None, function=None, dispatch=None, sizes=None, inputs=None, inputs_folder=None, caches=None, baselines=None, tuned=None, parameters=None):
        """`run/start`.

        snapshot: what to run (default: 0), such as that after a fusion.
        device: (file, unless it is an id: read).
        warmup: launches before those that are timed; there is always one.
        dispatch: only that one runs, on inputs of its own ("arg0" is its first): its number, its name or the file:line:col of its root op.
        inputs: by argument ("arg0"), a number, "true", "false", "random", "integers" (from -4 to 4), "zeros", "ones", "iota" or "@" and the path of a .npy file (default: random) (files after "@": read).
        inputs_folder: has .npy files by the names of arguments and weights (folder: read).
        caches: "cold" (default) or "warm": what timed launches find there.
        baselines: `roofs`, `clocks`, and `limit` and `baselines` of each Kernel are measured in the run (default: false).
        tuned: the tuning library that sizes of dispatches are from, or "none" (default: the user's own) (file: read).
        parameters: .safetensors or .irpa files with the scope whose weights they hold ("": of any) (files: read).
        """
        return self._ask("run/start", {"snapshot": snapshot, "device": device, "repeat": repeat, "warmup": warmup, "seed": seed, "function": function, "dispatch": dispatch, "sizes": sizes, "inputs": inputs, "inputs_folder": inputs_folder, "caches": caches, "baselines": baselines, "tuned": tuned, "parameters": parameters})

    def tune_worker(self, *, device=None, payload=None, schedule_name=None, schedule=None, schedule_entry=None, function=None, sizes=None, caches=None, seed=None):
        """`tune/worker`.

        device: (file, unless it is an id: read).
        payload: a module as text, which has the function; without it, this is only about the device.
        schedule: a script as text, with all that it needs of libraries; without one, the function is a dispatch whose sizes are tuned.
        schedule_entry: the named sequence that it begins at.
        seed: the others as of run/start.
        """
        return self._ask("tune/worker", {"device": device, "payload": payload, "schedule_name": schedule_name, "schedule": schedule, "schedule_entry": schedule_entry, "function": function, "sizes": sizes, "caches": caches, "seed": seed})

    def tune_trial(self, *, point=None, baseline=None, known=None, rounds=None, seconds=None, limit=None, cut=None, confirm=None):
        """`tune/trial`.

        baseline: a point that is launched in turns with this one, `rounds` times or for `seconds`.
        known: kernels that need not run again.
        limit: what takes longer than so many seconds is ended.
        cut: what is slower than so many times the baseline is ended after a few launches.
        confirm: what is faster than so many times the baseline is measured as long once more.
        """
        return self._ask("tune/trial", {"point": point, "baseline": baseline, "known": known, "rounds": rounds, "seconds": seconds, "limit": limit, "cut": cut, "confirm": confirm})

    def schedule_trace(self, *, snapshot, path, text=None, libraries=None, entry=None, arguments=None, hoist=None, normalize=None, knobs=None):
        """`schedule/trace`.

        path: (file: read, without `text`).
        libraries: (file: read).
        hoist: `normalize`, and one further up is looked for that makes the others unnecessary: a remark at its line says what it saves and how it is known that the result is the same, or why there is none.
        normalize: normalizers are put before transforms whose form does not hold.
        knobs: values that are selected, as schedule/knobs lists them.
        """
        return self._ask("schedule/trace", {"snapshot": snapshot, "path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments, "hoist": hoist, "normalize": normalize, "knobs": knobs})

    def schedule_position(self, *, step):
        """`schedule/position`.

        step: of the last trace.
        """
        return self._ask("schedule/position", {"step": step})

    def schedule_prepare(self, *, step):
        """`schedule/prepare`.

        step: of the last trace.
        """
        return self._ask("schedule/prepare", {"step": step})

    def schedule_check(self, *, path, text=None, libraries=None, entry=None, arguments=None):
        """`schedule/check`.

        path: (file: read, without `text`).
        libraries: (file: read).
        """
        return self._ask("schedule/check", {"path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments})

    def schedule_knobs(self, *, path, text=None, libraries=None, entry=None, arguments=None):
        """`schedule/knobs`.

        path: (file: read, without `text`).
        libraries: (file: read).
        """
        return self._ask("schedule/knobs", {"path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments})

    def schedule_complete(self, *, path, line, column, text=None, libraries=None, entry=None, arguments=None):
        """`schedule/complete`.

        path: (file: read, without `text`).
        column: as `line` of the caret, from 1, in bytes.
        libraries: (file: read).
        """
        return self._ask("schedule/complete", {"path": path, "line": line, "column": column, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments})

    def schedule_actions(self, *, snapshot, id):
        """`schedule/actions`."""
        return self._ask("schedule/actions", {"snapshot": snapshot, "id": id})

    def schedule_write(self, *, snapshot, path, text, action, id, start=None, libraries=None, entry=None, arguments=None, options=None, other=None):
        """`schedule/write`.

        start: the snapshot that the schedule runs on (default: 0); `snapshot` is what it leads to.
        libraries: (file: read).
        other: a second op, for "fuse_into" the loop.
        """
        return self._ask("schedule/write", {"snapshot": snapshot, "path": path, "text": text, "action": action, "id": id, "start": start, "libraries": libraries, "entry": entry, "arguments": arguments, "options": options, "other": other})

    def forms_check(self, *, snapshot, libraries=None):
        """`forms/check`.

        libraries: (file: read).
        """
        return self._ask("forms/check", {"snapshot": snapshot, "libraries": libraries})

    def forms_help(self):
        """`forms/help`."""
        return self._ask("forms/help", {})

    def tiles_domain(self, *, snapshot, id, dimensions=None, fuse=None, kept=None):
        """`tiles/domain`.

        id: of a dispatch, its root op is meant.
        dimensions: sizes of dynamic dimensions of the function's arguments ("arg0.1"; those of other functions are passed over), what is missing is chosen as run/start does, and told in the footprint's `notes`.
        fuse: default: true.
        kept: producers that stay outside of the tiles.
        """
        return self._ask("tiles/domain", {"snapshot": snapshot, "id": id, "dimensions": dimensions, "fuse": fuse, "kept": kept})

    def tiles_footprint(self, *, snapshot, id, dimensions=None, fuse=None, kept=None, sizes=None, tile=None, order=None, snap=None, limit=None, device=None, cache=None):
        """`tiles/footprint`.

        id: of a dispatch, its root op is meant.
        dimensions: sizes of dynamic dimensions of the function's arguments ("arg0.1"; those of other functions are passed over), what is missing is chosen as run/start does, and told in the footprint's `notes`.
        fuse: default: true.
        kept: producers that stay outside of the tiles.
        sizes: by loop (0: whole).
        limit: bytes of workgroup memory.
        device: (file, unless it is an id: read).
        cache: bytes of a cache that the costs are for; what an iteration of a loop touches stays for the next one if it fits (default: 0: whole ops move each value once, and nothing stays from one tile to the next).
        """
        return self._ask("tiles/footprint", {"snapshot": snapshot, "id": id, "dimensions": dimensions, "fuse": fuse, "kept": kept, "sizes": sizes, "tile": tile, "order": order, "snap": snap, "limit": limit, "device": device, "cache": cache})

    def tiles_sequence(self, *, snapshot, id, dimensions=None, fuse=None, kept=None, sizes=None, order=None, most=None):
        """`tiles/sequence`.

        id: of a dispatch, its root op is meant.
        dimensions: sizes of dynamic dimensions of the function's arguments ("arg0.1"; those of other functions are passed over), what is missing is chosen as run/start does, and told in the footprint's `notes`.
        fuse: default: true.
        kept: producers that stay outside of the tiles.
        sizes: as of tiles/footprint.
        most: so many tiles at most (default: 2048).
        """
        return self._ask("tiles/sequence", {"snapshot": snapshot, "id": id, "dimensions": dimensions, "fuse": fuse, "kept": kept, "sizes": sizes, "order": order, "most": most})

    def tiles_trace(self, *, snapshot, id, dimensions=None, fuse=None, kept=None, sizes=None, order=None):
        """`tiles/trace`.

        id: of a dispatch, its root op is meant.
        dimensions: sizes of dynamic dimensions of the function's arguments ("arg0.1"; those of other functions are passed over), what is missing is chosen as run/start does, and told in the footprint's `notes`.
        fuse: default: true.
        kept: producers that stay outside of the tiles.
        sizes: as of tiles/footprint.
        """
        return self._ask("tiles/trace", {"snapshot": snapshot, "id": id, "dimensions": dimensions, "fuse": fuse, "kept": kept, "sizes": sizes, "order": order})

    def tune_space(self, *, snapshot=None, path=None, text=None, libraries=None, entry=None, arguments=None, dispatch=None, device=None, function=None, sizes=None, fixed=None, all=None, values=None, moved=None):
        """`tune/space`.

        path: a script as of schedule/trace, with knobs in it (file: read, without `text`).
        libraries: (file: read).
        dispatch: instead of a script, one as of run/start, whose sizes the default pipeline chooses.
        device: (file, unless it is an id: read).
        fixed: knobs that stay.
        all: tune/start alone, instead of `path` and `dispatch`: all dispatches, one after the other, dearest first, equal ones once.
        values: a point that is wanted.
        moved: the knob that was set last.
        """
        return self._ask("tune/space", {"snapshot": snapshot, "path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments, "dispatch": dispatch, "device": device, "function": function, "sizes": sizes, "fixed": fixed, "all": all, "values": values, "moved": moved})

    def tune_step(self, *, snapshot=None, path=None, text=None, libraries=None, entry=None, arguments=None, dispatch=None, device=None, function=None, sizes=None, fixed=None, all=None, values=None):
        """`tune/step`.

        path: a script as of schedule/trace, with knobs in it (file: read, without `text`).
        libraries: (file: read).
        dispatch: instead of a script, one as of run/start, whose sizes the default pipeline chooses.
        device: (file, unless it is an id: read).
        fixed: knobs that stay.
        all: tune/start alone, instead of `path` and `dispatch`: all dispatches, one after the other, dearest first, equal ones once.
        values: a point of its space.
        """
        return self._ask("tune/step", {"snapshot": snapshot, "path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments, "dispatch": dispatch, "device": device, "function": function, "sizes": sizes, "fixed": fixed, "all": all, "values": values})

    def tune_start(self, *, snapshot=None, path=None, text=None, libraries=None, entry=None, arguments=None, dispatch=None, device=None, function=None, sizes=None, fixed=None, all=None, trials=None, seconds=None, strategy=None, objective=None, rounds=None, tuned=None, each=None, journal=None):
        """`tune/start`.

        path: a script as of schedule/trace, with knobs in it (file: read, without `text`).
        libraries: (file: read).
        dispatch: instead of a script, one as of run/start, whose sizes the default pipeline chooses.
        device: (file, unless it is an id: read).
        fixed: knobs that stay.
        all: tune/start alone, instead of `path` and `dispatch`: all dispatches, one after the other, dearest first, equal ones once.
        trials: the budget (default: 200).
        seconds: the budget instead, if it is not 0.
        strategy: as of `fuselage tune`.
        objective: as of `fuselage tune`.
        tuned: the library for what is faster of a dispatch (file: read and written).
        each: the budget is of each dispatch, else of all together.
        journal: a file, "" is none (default: `fuselage/tuning.jsonl` in the user's data folder) (file: read and written).
        """
        return self._ask("tune/start", {"snapshot": snapshot, "path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments, "dispatch": dispatch, "device": device, "function": function, "sizes": sizes, "fixed": fixed, "all": all, "trials": trials, "seconds": seconds, "strategy": strategy, "objective": objective, "rounds": rounds, "tuned": tuned, "each": each, "journal": journal})

    def tune_poll(self, *, from_=None):
        """`tune/poll`.

        from_: trials that are known already (default: 0).
        """
        return self._ask("tune/poll", {"from": from_})

    def tune_control(self, *, action=None):
        """`tune/control`.

        action: "pause" (after the trial that runs), "resume" or "cancel" (now; what was found is the outcome).
        """
        return self._ask("tune/control", {"action": action})

    def tune_journal(self, *, journal=None, csv=None, objective=None, work=None, status=None, text=None, from_=None, count=None):
        """`tune/journal`.

        journal: as of tune/start (file: read).
        csv: a path that trials are written to as a table, not only `count` (file: written).
        objective: "median" (default) or "min".
        work: only trials of the work with that index.
        status: only with that.
        text: only with it in a value ("rows=16"), a reason or a worker.
        count: of these, so many (default: all) from number `from` on.
        """
        return self._ask("tune/journal", {"journal": journal, "csv": csv, "objective": objective, "work": work, "status": status, "text": text, "from": from_, "count": count})

    def tune_schedule(self, *, snapshot=None, path=None, text=None, libraries=None, entry=None, arguments=None, dispatch=None, device=None, function=None, sizes=None, fixed=None, all=None, values=None, baseline=None):
        """`tune/schedule`.

        path: a script as of schedule/trace, with knobs in it (file: read, without `text`).
        libraries: (file: read).
        dispatch: instead of a script, one as of run/start, whose sizes the default pipeline chooses.
        device: (file, unless it is an id: read).
        fixed: knobs that stay.
        all: tune/start alone, instead of `path` and `dispatch`: all dispatches, one after the other, dearest first, equal ones once.
        """
        return self._ask("tune/schedule", {"snapshot": snapshot, "path": path, "text": text, "libraries": libraries, "entry": entry, "arguments": arguments, "dispatch": dispatch, "device": device, "function": function, "sizes": sizes, "fixed": fixed, "all": all, "values": values, "baseline": baseline})

    def lesson_list(self, *, folders=None):
        """`lesson/list`.

        folders: with lessons of the user's own, beside those of `FUSELAGE_LESSONS`.
        """
        return self._ask("lesson/list", {"folders": folders})

    def lesson_open(self, *, lesson):
        """`lesson/open`.

        lesson: the `folder` of one that lesson/list names, a folder with a lesson.md, that file, or a zip of the folder.
        """
        return self._ask("lesson/open", {"lesson": lesson})

    def lesson_judge(self, *, snapshot, goals=None, told=None):
        """`lesson/judge`.

        goals: as lessons write them.
        told: facts that only the window knows, as numbers: `answer`, `selected matmul`.
        """
        return self._ask("lesson/judge", {"snapshot": snapshot, "goals": goals, "told": told})

    def run_arguments(self, *, snapshot=None, function=None):
        """`run/arguments`."""
        return self._ask("run/arguments", {"snapshot": snapshot, "function": function})

    def run_results(self, *, path, snapshot=None, shown=None, sizes=None):
        """`run/results`.

        path: what `fuselage-launch --format json` or `fuselage run --format json` wrote, possibly on another machine (file: read).
        snapshot: the program that the results are of, as of run/start (default: 0).
        shown: the snapshot that `ops` are of (default: 0).
        """
        return self._ask("run/results", {"path": path, "snapshot": snapshot, "shown": shown, "sizes": sizes})

    def trace_open(self, *, path):
        """`trace/open`.

        path: a trace, as JSON (file: read).
        """
        return self._ask("trace/open", {"path": path})

    def trace_pieces(self, *, begin=None, end=None, columns=None):
        """`trace/pieces`.

        begin: microseconds since the trace began; default: all of it.
        columns: of pixels; what lies in one is one piece.
        """
        return self._ask("trace/pieces", {"begin": begin, "end": end, "columns": columns})

    def values_edge(self, *, snapshot, from_, to, operand, seed=None, function=None, sizes=None, inputs=None, inputs_folder=None, parameters=None, index=None, first_row=None, first_column=None, row_extent=None, column_extent=None, cells=None, most_flops=None):
        """`values/edge`.

        from_: an op, or a block argument by its negative number in the graph.
        function: default: the one around the value, if it is public.
        inputs: as of run/start (files after "@": read).
        inputs_folder: (folder: read).
        parameters: (files: read).
        index: of the slice, in the dimensions before the last two (default: 0 in each).
        row_extent: -1 (default): to the end.
        cells: at most so many in each direction (default: 96).
        most_flops: what takes more, or nobody knows how much, is not computed (default: -1, everything is).
        """
        return self._ask("values/edge", {"snapshot": snapshot, "from": from_, "to": to, "operand": operand, "seed": seed, "function": function, "sizes": sizes, "inputs": inputs, "inputs_folder": inputs_folder, "parameters": parameters, "index": index, "first_row": first_row, "first_column": first_column, "row_extent": row_extent, "column_extent": column_extent, "cells": cells, "most_flops": most_flops})

    def values_file(self, *, snapshot, from_, to, operand, seed=None, function=None, sizes=None, inputs=None, inputs_folder=None, parameters=None):
        """`values/file`.

        from_: an op, or a block argument by its negative number in the graph.
        function: default: the one around the value, if it is public.
        inputs: as of run/start (files after "@": read).
        inputs_folder: (folder: read).
        parameters: (files: read).
        """
        return self._ask("values/file", {"snapshot": snapshot, "from": from_, "to": to, "operand": operand, "seed": seed, "function": function, "sizes": sizes, "inputs": inputs, "inputs_folder": inputs_folder, "parameters": parameters})

    def values_nonfinite(self, *, snapshot, seed=None, function=None, sizes=None, inputs=None, inputs_folder=None, parameters=None):
        """`values/nonfinite`.

        function: default: the one around the value, if it is public.
        inputs: as of run/start (files after "@": read).
        inputs_folder: (folder: read).
        parameters: (files: read).
        """
        return self._ask("values/nonfinite", {"snapshot": snapshot, "seed": seed, "function": function, "sizes": sizes, "inputs": inputs, "inputs_folder": inputs_folder, "parameters": parameters})

    def kernel_code(self, *, dispatch, snapshot=None, function=None, chip=None, device=None, sizes=None, target=None):
        """`kernel/code`.

        dispatch: as of run/start.
        chip: of PTX ("sm_90").
        device: instead of `target` and `chip`: the id of a model of devices/models that is not here ("h100"), or the path of a device file (file, unless it is an id: read).
        target: "spirv" (default), "ptx" or "host".
        """
        return self._ask("kernel/code", {"dispatch": dispatch, "snapshot": snapshot, "function": function, "chip": chip, "device": device, "sizes": sizes, "target": target})

    def kernel_check(self, *, dispatch, seed=None, snapshot=None, function=None, chip=None, device=None, sizes=None, target=None):
        """`kernel/check`.

        dispatch: as of run/start.
        seed: of inputs and of the workgroups that stand for all where there are too many (default: 1).
        chip: of PTX ("sm_90").
        device: instead of `target` and `chip`: the id of a model of devices/models that is not here ("h100"), or the path of a device file (file, unless it is an id: read).
        target: "spirv" (default) or "ptx".
        """
        return self._ask("kernel/check", {"dispatch": dispatch, "seed": seed, "snapshot": snapshot, "function": function, "chip": chip, "device": device, "sizes": sizes, "target": target})

    def shutdown(self):
        """`shutdown`."""
        return self._ask("shutdown", {})
