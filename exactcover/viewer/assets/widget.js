// The page as a widget of a notebook. The page stands in a frame of its own, which tells what is selected.

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "solutions";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-modals");
  frame.style.cssText = "width: 100%; height: 44rem; border: 1px solid #d8d5cc; border-radius: 10px";
  frame.srcdoc = model.get("page");
  let last = "";
  const send = () => {
    last = model.get("selection");
    frame.contentWindow?.postMessage({ exactcover: { selection: last } }, "*");
  };
  const sendChange = () => model.get("selection") !== last && send();
  const receive = (event) => {
    const message = event.data?.exactcover;
    if (event.source !== frame.contentWindow || !message) return;
    if (message.isReady) return send();
    last = message.selection;
    for (const name of ["selection", "positions", "given", "without"]) model.set(name, message[name]);
    model.save_changes();
  };
  addEventListener("message", receive);
  model.on("change:selection", sendChange);
  el.append(frame);
  return () => {
    removeEventListener("message", receive);
    model.off("change:selection", sendChange);
  };
}

export default { render };
